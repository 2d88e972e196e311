/**
 * Front pages: nameplate, lead, followers, briefs, data, everything else. Where the sheet is wide, the top stands on
 * one grid of six columns: the parts of one page have their edges either at thirds or at halves of it, and each
 * divider stands in the middle of a gap.
 */
export const FRONT_RULES = `
.plate { padding: var(--s6) 0 var(--s4); text-align: center }
.plate h1 { font-size: clamp(2.25rem,1.1rem + 5.4vw,var(--t-plate)); line-height: 1.04; letter-spacing: -.025em }
.plate p { margin: var(--s2) auto 0; max-width: 38rem; color: var(--soft); font-size: var(--t-deck); font-style: italic; line-height: 1.35; text-wrap: balance }
.ear { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s5); justify-content: center; padding: var(--s2) 0; border-top: var(--l-heavy) solid var(--mark); border-bottom: var(--l-hair) solid var(--ink); font: var(--t-tiny)/1.6 var(--sans); list-style: none }
.ear+nav .ear,nav+nav .ear { border-top: 0 }
[aria-current] { font-weight: 700 }
.front { --gap: var(--s7); --half: calc(var(--gap)/2); display: grid; gap: 0 var(--gap); padding-top: var(--s5) }
.front>* { min-width: 0 }
.front>.cover { margin-bottom: var(--s4) }
.card h2,.card h3 { margin: var(--s1) 0 var(--s2); font-size: var(--t-third); letter-spacing: -.01em }
.card p[dir] { font-size: var(--t-text); line-height: 1.5; text-wrap: pretty }
.card .by { margin-top: var(--s2); font-size: var(--t-tiny) }
.lead h2 { margin: var(--s2) 0 var(--s4); font-size: clamp(1.875rem,1.1rem + 3.4vw,3.5rem); line-height: 1.05; letter-spacing: -.02em }
.card:has(>h2:dir(rtl))>:is(.label,.by) { text-align: end }
.lead p[dir] { max-width: 42rem; font-size: clamp(1.1875rem,1rem + .8vw,var(--t-deck)); line-height: 1.42 }
.lead p:dir(rtl) { max-width: none }
.follow { display: grid; gap: var(--s5); margin-top: var(--s5); padding-top: var(--s4); border-top: var(--hairline) }
.follow>.card+.card { padding-top: var(--s4); border-top: var(--hairline) }
.briefs { margin-top: var(--s6); padding-top: var(--s3); border-top: var(--l-rule) solid var(--ink) }
.briefs h2+ul { margin-top: var(--s2) }
.briefs li { padding: var(--s3) 0; border-top: var(--hairline); font-size: var(--t-text); line-height: 1.45; list-style: none }
.briefs .by { margin-top: var(--s1); font-size: var(--t-tiny) }
.briefs h2 { font: 700 var(--t-tiny)/1.5 var(--sans) }
.block { margin-top: var(--s7); padding-top: var(--s3); border-top: var(--l-rule) solid var(--ink) }
.front>.block { margin-top: 0; padding-top: 0; border: 0 }
.front>.block li:first-child h3 { font-size: clamp(1.875rem,1.2rem + 2.6vw,var(--t-head)); line-height: 1.08; letter-spacing: -.015em }
.rows { list-style: none }
.rows>li { display: grid; gap: 0 var(--s6); padding: var(--s3) 0; border-top: var(--hairline) }
.rows>li:first-child { border-top: 0; padding-top: 0 }
.rows h3 { font-size: 1.3125rem }
.rows p[dir] { margin-top: .2rem; color: var(--soft); font-size: var(--t-text); line-height: 1.5 }
.rows .by { font-size: var(--t-tiny) }
.columns { display: grid; gap: var(--s6) }
.columns>* { min-width: 0 }
.columns .prose+.prose { margin-top: 1.05em }
.columns h3 { margin: var(--s5) 0 var(--s2) }
.people { display: grid; gap: 0 var(--s7); grid-template-columns: repeat(auto-fill,minmax(min(16rem,100%),1fr)); list-style: none }
.people li { padding: var(--s3) 0; border-top: var(--hairline) }
.people p:not(.small) { font-size: var(--t-text); line-height: 1.45 }
.empty { max-width: var(--w-measure); padding: var(--s6) 0; font-size: var(--t-deck); line-height: 1.45; text-wrap: balance }
.ear+.empty,nav+.empty { margin-inline: auto; text-align: center }
.search+.empty { max-width: 46rem; margin-inline: auto }
.one { white-space: nowrap }
.columns.short { display: block }
.columns.short>div+.facts { margin-top: var(--s5) }
.columns.short>.facts dl { display: grid; grid-template-columns: repeat(auto-fill,minmax(12rem,1fr)); gap: 0 var(--s5) }
@media (min-width:46rem) {
.follow,.briefs ul,.follow>.card:only-child:has(>.cover) { display: grid; grid-template-columns: 1fr 1fr; gap: 0 var(--gap) }
.follow>.card:only-child,.briefs li:first-child:nth-last-child(odd) { grid-column: 1/-1 }
.follow>.card:only-child>.cover { grid-row: 1/9; margin: 0 }
.follow>.card+.card { margin-inline-start: calc(var(--half)*-1); padding-block: 0; padding-inline-start: calc(var(--half) - 1px); border-top: 0; border-inline-start: var(--hairline) }
.rows>li { grid-template-columns: minmax(0,1fr) 15rem; align-items: baseline }
.rows .by { text-align: end }
.columns { grid-template-columns: minmax(0,1fr) 17rem; gap: var(--s7) }
}
@media (min-width:62rem) {
.front { grid-template-rows: auto auto 1fr; grid-template-columns: repeat(6,minmax(0,1fr)) }
.front>* { grid-column: 1/-1 }
.front>.cover { grid-row: 1 }
.front>:is(.lead,.block) { grid-row: 2 }
.front>.follow { grid-row: 3 }
.front>.briefs { grid-row: 1/4 }
.thirds>:is(.cover,.lead,.block),.tall>.follow { grid-column: 1/5 }
.thirds>.briefs { grid-column: 5/-1 }
.halves>:is(.lead,.block),.pair>.follow { grid-column: 1/4 }
.halves>.briefs { grid-column: 4/-1 }
.band>.cover { grid-column: 1/-1 }
.front.flat { grid-template-rows: auto 1fr auto }
.flat>.briefs { grid-row: 1/3 }
.band>.briefs,.even>.briefs { grid-row: 2 }
.pair>.briefs { grid-row: 2/4 }
.front>.briefs:not(:only-child) { margin: 0; margin-inline-start: calc(var(--half)*-1); padding: 0; padding-inline-start: calc(var(--half) - 1px); border-top: 0; border-inline-start: var(--hairline) }
.front:not(.tall,.halves)>.follow:not(.wide)>.card:only-child:has(>.cover),.wide,.briefs:only-child ul { grid-template-columns: repeat(3,1fr) }
.front:not(.tall,.halves)>.follow:not(.wide)>.card:only-child>:not(.cover) { grid-column: 2/4 }
.wide>:first-child { grid-column: 1/3 }
.wide>:first-child:has(>.cover) { display: grid; grid-template: repeat(3,auto) 1fr/1fr 1fr; gap: 0 var(--gap) }
.wide>:first-child>.cover { grid-row: 1/5; height: 100%; max-height: none; margin: 0 }
.wide>:first-child:not(:has(>.cover)) h2 { font-size: var(--t-second) }
.pair>.follow,.thirds>.briefs ul { grid-template-columns: 1fr }
.pair>.follow { gap: var(--s4) }
.pair>.follow>.card.card { display: block; margin: 0; padding-inline: 0; border-inline: 0 }
.pair>.follow>.card+.card { padding-top: var(--s4); border-top: var(--hairline) }
.pair>.follow .cover.cover { margin-bottom: var(--s3) }
.briefs:only-child li:first-child { grid-column: auto }
.briefs:only-child li:first-child:nth-last-child(3n+1) { grid-column: 1/-1 }
.briefs:only-child li:first-child:nth-last-child(3n+2) { grid-column: 1/3 }
.rows>li { grid-template-columns: minmax(0,1fr) 20rem }
.front .rows>li { grid-template-columns: minmax(0,1fr) 12rem }
.front.even .rows>li { grid-template-columns: minmax(0,1fr) }
.front.even .rows .by { margin-top: var(--s2); text-align: start }
}
`;
