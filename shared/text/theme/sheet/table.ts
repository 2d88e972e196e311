/** Tables of data: scroll in their own frame, figures to the right, blanks as blanks. */
export const TABLE_RULES = `
.sheet,.table-scroll { background: var(--edges) }
.file { max-width: 100% }
.file+.file { margin-top: var(--s6); padding-top: var(--s5); border-top: var(--hairline) }
.file h3 { font-size: var(--t-deck) }
.file>p { margin-top: var(--s2); max-width: var(--w-measure) }
.sheet { --gap: clamp(1rem,2.5vw,2rem); width: fit-content; min-width: min(100%,var(--w-measure)); max-width: 100%; max-height: 85vh; margin: var(--s4) 0; overflow: auto; border-block: var(--l-rule) solid var(--ink) }
.table-scroll { width: fit-content; max-width: 100%; overflow: auto; border-block: var(--l-rule) solid var(--ink) }
table { border-collapse: collapse; font: var(--t-small)/1.45 var(--sans); font-variant-numeric: tabular-nums lining-nums }
.sheet:has(th:nth-child(5)) { width: auto }
.sheet table { width: max-content; min-width: 100% }
.stats { --gap: clamp(.8rem,1.5vw,1.3rem); max-height: none }
th,td { max-width: 22rem; padding-block: .4rem; padding-inline: 0 1.3rem; text-align: -webkit-match-parent; text-align: match-parent; vertical-align: top; overflow-wrap: break-word; border-bottom: var(--hairline) }
td,code { unicode-bidi: plaintext }
:is(th,td):last-child { padding-inline-end: 0 }
.sheet :is(th,td) { padding-inline: 0; padding-right: var(--gap); text-align: left }
.sheet :is(th,td):last-child { padding-right: 0 }
tbody tr:last-child>* { border-bottom: 0 }
thead th { position: sticky; top: 0; z-index: 1; background: var(--paper); vertical-align: bottom; box-shadow: inset 0 -1px var(--ink) }
th small,.stats td>small { display: block; color: var(--soft); font-size: var(--t-tiny); font-weight: 400 }
th small { white-space: nowrap }
.fg,.sheet .fg,.ar { text-align: right }
.al { text-align: left }
.ac { text-align: center }
.blank { background: var(--wash) }
caption { padding: var(--s2) 0; color: var(--soft); font: var(--t-tiny)/1.5 var(--sans); text-align: start }
tbody th { position: sticky; inset-inline-start: 0; background: var(--paper); font-weight: 400 }
.stats tbody th { max-width: min(12rem,40vw); overflow-wrap: anywhere; font-weight: 600 }
[aria-sort] a::after { content: " ↑" }
[aria-sort=descending] a::after { content: " ↓" }
.stats td.fg:not(:last-child) { max-width: 10rem; overflow-wrap: anywhere }
@media (min-width:60rem) { .stats table { width: 100% } }
.stats svg { display: block; color: var(--mark) }
.stats .base { color: var(--rule) }
.ends { display: flex; justify-content: space-between; max-width: 168px; font-size: var(--t-tiny); line-height: 1.3 }
.stats ol { list-style: none }
.stats li { margin-bottom: var(--s1); font-size: var(--t-tiny); line-height: 1.3 }
.ends,:is(.stats,.facets) li small { color: var(--soft) }
dl.grid { display: grid; grid-template-columns: max-content minmax(0,1fr); gap: var(--s1) var(--s4); margin-top: var(--s3); font: var(--t-small)/1.5 var(--sans) }
dl.grid dt { line-height: 1.7 }
dl.grid a+.copy { margin-inline-start: var(--s3) }
@media (max-width:40rem) {
dl.grid { grid-template-columns: minmax(0,1fr); gap: 0 }
dl.grid dd { margin-bottom: var(--s2) }
dl.grid a+.copy { display: block; margin: 0 }
}
.outline { max-height: 24rem; overflow: auto; margin: var(--s4) 0; padding: var(--s3) 0; border-block: var(--hairline); font: var(--t-small)/1.7 var(--sans) }
.outline ul { padding-inline-start: var(--s5); list-style: none }
.outline>ul { padding: 0 }
.outline b { font-weight: 600 }
.outline small { color: var(--soft); font-size: var(--t-tiny) }
.copy { color: var(--soft); -webkit-user-select: all; user-select: all }
`;
