/** On paper: no navigation and no forms, addresses after links, nothing cut and nothing folded away. */
export const PRINT_RULES = `
@page { margin: 18mm }
html { font-size: 75% }
body { max-width: none; padding: 0; font-size: 1.25rem; line-height: 1.5 }
.site nav,.site+.notice,.skip,form,.after,.colophon ul { display: none }
.colophon { margin-top: var(--s6); padding-bottom: 0; break-before: avoid }
.work { display: block }
.work>aside { margin-top: var(--s6); max-width: none }
.work>aside dl { display: grid; grid-template-columns: 1fr 1fr; gap: 0 var(--s6) }
.prose a[href^=http]::after { content: " (" attr(href) ")"; font-size: .8em; word-break: break-all }
.sheet,.outline,.prose pre,.table-scroll,.chart details .table-scroll,.flowchart .frame { max-height: none; overflow: visible; background: none }
.prose pre { white-space: pre-wrap }
.sheet table { width: auto }
table { font-size: .9375rem }
.stats table { font-size: .75rem }
details::details-content { content-visibility: visible; display: block }
summary { list-style: none }
th,td { padding-inline-end: .7rem; overflow-wrap: anywhere }
.sheet { --gap: .7rem }
.stats { --gap: .4rem }
.stats :is(th,td) { position: static; overflow-wrap: break-word }
thead th { position: static }
.flowchart svg { max-height: 15cm }
h1,h2,h3,h4 { break-after: avoid }
figure svg,figcaption,tr,.card,.facts div,.rows>li,.list>li { break-inside: avoid }
figcaption { break-before: avoid }
`;
