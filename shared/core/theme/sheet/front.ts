/** Front pages: nameplate, lead, followers, briefs, data, everything else. */
export const FRONT_RULES = `
.plate { padding: var(--s6) 0 var(--s4); text-align: center }
.plate h1 { font-size: clamp(2.25rem,1.1rem + 5.4vw,var(--t-plate)); line-height: 1.04; letter-spacing: -.025em }
.plate p { margin: var(--s2) auto 0; max-width: 38rem; color: var(--soft); font-size: var(--t-deck); font-style: italic; line-height: 1.35; text-wrap: balance }
.ear { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s5); justify-content: center; padding: var(--s2) 0; border-top: var(--l-heavy) solid var(--mark); border-bottom: var(--l-hair) solid var(--ink); font: var(--t-tiny)/1.6 var(--sans); list-style: none }
.ear+nav .ear,nav+nav .ear { border-top: 0 }
[aria-current] { font-weight: 700 }
.front { display: grid; gap: 0 var(--s6); padding-top: var(--s5) }
.front>* { min-width: 0 }
.front>.cover { margin-bottom: var(--s4) }
.card h2,.card h3 { margin: var(--s1) 0 var(--s2); font-size: var(--t-third); letter-spacing: -.01em }
.card p[dir] { font-size: var(--t-text); line-height: 1.5; text-wrap: pretty }
.card .by { margin-top: var(--s2); font-size: var(--t-tiny) }
.lead h2 { margin: var(--s2) 0 var(--s4); font-size: clamp(1.875rem,1.1rem + 3.4vw,3.5rem); line-height: 1.05; letter-spacing: -.02em }
.card:has(>h2:dir(rtl))>:is(.label,.by) { text-align: end }
.lead p[dir] { max-width: 42rem; font-size: clamp(1.1875rem,1rem + .8vw,var(--t-deck)); line-height: 1.42 }
.lead p:dir(rtl) { max-width: none }
.follow { display: grid; gap: var(--s5); margin-top: var(--s5); padding-top: var(--s4); border-top: var(--l-hair) solid var(--rule) }
.follow>.card+.card { padding-top: var(--s4); border-top: var(--l-hair) solid var(--rule) }
.briefs { margin-top: var(--s6); padding-top: var(--s3); border-top: var(--l-rule) solid var(--ink) }
.briefs h2+ul { margin-top: var(--s2) }
.briefs li { padding: var(--s3) 0; border-top: var(--l-hair) solid var(--rule); font-size: var(--t-text); line-height: 1.45; list-style: none }
.briefs .by { margin-top: var(--s1); font-size: var(--t-tiny) }
.briefs h2 { font: 700 var(--t-small)/1.4 var(--sans) }
.block { margin-top: var(--s7); padding-top: var(--s3); border-top: var(--l-rule) solid var(--ink) }
.front>.block { margin-top: 0; padding-top: 0; border: 0 }
.front>.block li:first-child h3 { font-size: clamp(1.875rem,1.2rem + 2.6vw,var(--t-head)); line-height: 1.08; letter-spacing: -.015em }
.rows { list-style: none }
.rows>li { display: grid; gap: 0 var(--s6); padding: var(--s3) 0; border-top: var(--l-hair) solid var(--rule) }
.rows>li:first-child { border-top: 0; padding-top: 0 }
.rows h3 { font-size: 1.3125rem }
.rows p[dir] { margin-top: .2rem; color: var(--soft); font-size: var(--t-text); line-height: 1.5 }
.rows .by { font-size: var(--t-tiny) }
.columns { display: grid; gap: var(--s6) }
.columns>* { min-width: 0 }
.columns .prose+.prose { margin-top: 1.05em }
.columns h3 { margin: var(--s5) 0 var(--s2) }
.people { display: grid; gap: 0 var(--s6); grid-template-columns: repeat(auto-fill,minmax(min(17rem,100%),1fr)); list-style: none }
.people li { padding: var(--s3) 0; border-top: var(--l-hair) solid var(--rule) }
.people p:not(.small) { font-size: var(--t-text); line-height: 1.45 }
.empty { max-width: var(--w-measure); padding: var(--s6) 0; font-size: var(--t-deck); line-height: 1.45; text-wrap: balance }
.ear+.empty,nav+.empty { margin-inline: auto; text-align: center }
.search+.empty { max-width: 46rem; margin-inline: auto }
.one { white-space: nowrap }
.columns>.facts:only-child { grid-column: 1/-1 }
.columns>.facts:only-child dl { display: grid; grid-template-columns: repeat(auto-fill,minmax(12rem,1fr)); gap: 0 var(--s5) }
@media (min-width:46rem) {
.follow { grid-template-columns: 1fr 1fr; gap: var(--s6) }
.follow>.card:only-child { grid-column: 1/-1 }
.follow>.card:only-child:has(>.cover) { display: grid; grid-template-columns: 1fr 2fr; gap: 0 var(--s6) }
.follow>.card:only-child>.cover { grid-row: 1/9; margin: 0 }
.follow>.card+.card { padding: 0; padding-inline-start: var(--s6); margin-inline-start: calc(var(--s6)*-.5); border-top: 0; border-inline-start: var(--l-hair) solid var(--rule) }
.rows>li { grid-template-columns: minmax(0,1fr) 15rem; align-items: baseline }
.rows .by { text-align: end }
.briefs ul { display: grid; grid-template-columns: 1fr 1fr; gap: 0 var(--s6) }
.columns { grid-template-columns: minmax(0,1fr) 17rem; gap: var(--s7) }
}
@media (min-width:62rem) {
.front:where(:has(>.briefs:not(:only-child))) { grid-template-rows: auto auto 1fr; grid-template-columns: minmax(0,1fr) 18rem }
.front>.cover { grid-area: 1/1 }
.front>:is(.lead,.block) { grid-area: 2/1 }
.front>.follow { grid-area: 3/1 }
.front>.briefs:not(:only-child) { grid-area: 1/2/4/3; margin: 0; padding: 0; padding-inline-start: var(--s5); border-top: 0; border-inline-start: var(--l-hair) solid var(--rule) }
.front.flat { grid-template-rows: auto 1fr auto }
.front.flat>.briefs { grid-row: 1/3 }
.front:is(.even,.pair) { grid-template-columns: minmax(0,9fr) minmax(0,11fr) }
.front:is(.band,.even,.pair)>.cover { grid-column: 1/3 }
.front:is(.band,.even)>.briefs { grid-row: 2 }
.front.pair>.briefs { grid-row: 2/4 }
.front:is(.flat,.band,.even)>.follow { grid-column: 1/3 }
.pair>.follow { grid-template-columns: 1fr; gap: var(--s4) }
.pair>.follow>.card+.card { margin: 0; padding: var(--s4) 0 0; border: 0; border-top: var(--l-hair) solid var(--rule) }
.front:is(.tall,.flat,.band)>.briefs ul { grid-template-columns: 1fr }
.briefs:only-child ul { grid-template-columns: repeat(3,1fr) }
.rows>li { grid-template-columns: minmax(0,1fr) 20rem }
.front .rows>li { grid-template-columns: minmax(0,1fr) 12rem }
.front.even .rows>li { grid-template-columns: minmax(0,1fr) }
.front.even .rows .by { margin-top: var(--s2); text-align: start }
.narrow .rows>li { grid-template-columns: minmax(0,1fr) 15rem }
}
`;
