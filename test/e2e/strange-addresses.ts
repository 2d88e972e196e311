/** Addresses that would lead out of the site, out of the folder or to another host if they were followed. */
export const STRANGE_ADDRESSES = [
  "/../../../../etc/passwd",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/..%2f..%2fetc%2fpasswd",
  "/..%5c..%5cetc%5cpasswd",
  "/media/..%2f..%2fetc%2fpasswd",
  "/docs/..%2f..%2fpackage.json",
  "/docs/%2e%2e%2fREADME.md",
  "/api/v1/docs/..%2fdecisions",
  "//evil.example/%2f..",
  "/\\evil.example",
  "/https:%2f%2fevil.example",
  "http://evil.example/sign-in",
  "/@besieged/..%2f..%2f",
  "/;/admin",
  "/.git/config",
  "/.env",
  "/console/..;/console",
  "/sign-in?next=//evil.example",
  "/sign-in?next=https://evil.example",
  "/sign-in?next=/%5cevil.example",
  "/%00",
  "/?a[__proto__][x]=1&a[constructor][prototype][y]=1",
];

/** Queries that say a parameter twice, as a list, or by a name that every object has. */
export const STRANGE_QUERIES = [
  "page=1&page=2",
  "page[]=1",
  "page[a]=1",
  "q=a&q=b",
  "q[]=a",
  "q[__proto__]=a",
  "query=a&q=b",
  "constructor=1",
  "__proto__=1",
  "hasOwnProperty=1",
];
