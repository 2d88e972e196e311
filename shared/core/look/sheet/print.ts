/** On paper: no navigation and no forms, addresses after links, nothing cut and nothing folded away. */
export const PRINT_RULES = `
@page { margin: 18mm }
body { max-width: none; padding: 0; font-size: 10.5pt }
.site nav,.skip,form,.colophon ul { display: none }
.work { display: block }
.work>aside { margin-top: var(--s6) }
.prose,.list { max-width: none }
.prose a[href^=http]::after { content: " (" attr(href) ")"; font-size: .8em; word-break: break-all }
.sheet,.outline,.prose pre,.table-scroll,.chart details .table-scroll,.flowchart .frame { max-height: none; overflow: visible }
.prose pre { white-space: pre-wrap }
.sheet table { width: auto }
table { font-size: 8.5pt }
details::details-content { content-visibility: visible; display: block }
summary { list-style: none }
th,td { overflow-wrap: anywhere }
thead th { position: static }
h1,h2,h3,h4 { break-after: avoid }
figure,tr,.card { break-inside: avoid }
`;
