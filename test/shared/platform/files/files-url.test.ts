import { expect, test } from "vitest";
import { ConfigError } from "../../../../shared/ground/errors.ts";
import { loadConfig } from "../../../../shared/platform/config.ts";
import { explainFilesUrl } from "../../../../shared/platform/files/files-url.ts";

test.each([
  "file:./files",
  "file:/srv/my files",
  "file:///srv/files",
  "s3://works",
  "s3://my.works-2/a/b?endpoint=http://127.0.0.1:9000&region=eu-central-1",
])("%s is the address of a store", (text) => {
  expect(explainFilesUrl(text)).toBeNull();
  expect(loadConfig({ FILES_URL: text }).filesUrl).toBe(text);
});

test.each([
  ["/srv/files", "neither file: nor s3://"],
  ["https://bucket.s3.amazonaws.com", "neither file: nor s3://"],
  ["file:", "no folder"],
  ["file://host/files", "three slashes"],
  ["s3://", "3 to 63"],
  ["s3://Works", "3 to 63"],
  ["s3://wo", "3 to 63"],
  ["s3://works-/a", "3 to 63"],
  ["s3://key:secret@works", "AWS_ACCESS_KEY_ID"],
  ["s3://works:9000/a", "?endpoint="],
  ["s3://works/a b", "blank"],
  ["s3://works?endpiont=https://host", "no parameter endpiont"],
  ["s3://works?region=", "region is empty"],
  ["s3://works?endpoint=host:9000", "starts with https://"],
  ["s3://works/#a", "%23"],
])("%s is refused with the rule that it breaks: %s", (text, rule) => {
  expect(explainFilesUrl(text)).toContain(rule);
  expect(() => loadConfig({ FILES_URL: text })).toThrow(ConfigError);
  expect(() => loadConfig({ FILES_URL: text })).toThrow(/^FILES_URL cannot be used: .*\.$/);
  expect(() => loadConfig({ FILES_URL: text })).not.toThrow("secret");
});
