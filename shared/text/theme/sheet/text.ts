/** A publication: head, running text, its files, relations and facts. */
export const TEXT_RULES = `
.work { display: grid; gap: 0 var(--s7); padding-top: var(--s6) }
.work>* { min-width: 0 }
.work:not(:has(.sheet)) { max-width: 64rem; margin-inline: auto }
.work>header { max-width: 50rem; padding-bottom: var(--s5) }
.work>header>.label:has(+.hush) { margin-bottom: var(--s3) }
.work>header:has(h1:dir(rtl))>.label { text-align: end }
.after { margin: var(--s6) auto 0 }
.work:not(:has(.sheet))+.after { max-width: 64rem }
.work h1 { margin: var(--s2) 0 var(--s4); font-size: clamp(1.875rem,1.2rem + 3vw,var(--t-head)); line-height: 1.1; letter-spacing: -.015em }
.work>header:has(h1:dir(rtl)) { max-width: var(--w-measure) }
h1:dir(rtl)~.deck { max-width: none }
.deck { margin-bottom: var(--s4); max-width: 40rem; color: var(--soft); font-size: clamp(1.1875rem,1rem + .8vw,var(--t-deck)); line-height: 1.42; text-wrap: pretty }
.work>*>section { margin-top: var(--s6); padding-top: var(--s3); border-top: var(--l-hair) solid var(--ink) }
.work>div>section:first-child { margin-top: 0; border-top-width: var(--l-rule) }
.work>*>section:not(:has(.sheet)) { max-width: var(--w-measure) }
.work>*>section>h2,.block>h2 { margin-bottom: var(--s4); font: 700 var(--t-small)/1.4 var(--sans); letter-spacing: .02em }
.facts { font: var(--t-small)/1.55 var(--sans) }
.facts .list>li>:first-child { font-size: inherit }
.facts section>h2 { margin-bottom: var(--s2) }
.facts>dl { border-top: var(--l-rule) solid var(--ink) }
.facts div { padding: var(--s2) 0; border-bottom: var(--hairline) }
dt { color: var(--soft); font: 600 var(--t-tiny)/1.5 var(--sans) }
.facts dd,dl.grid dd { line-height: 1.5 }
.hash { font: var(--t-tiny)/1.5 var(--mono); word-break: break-all; text-wrap: balance; user-select: all }
.prose { max-width: var(--w-measure); text-wrap: pretty }
.prose[lang] { hyphens: auto }
.prose code { hyphens: none }
.prose>*+* { margin-top: 1.05em }
.prose :is(h2,h3,h4,h5,h6) { margin-top: 1.7em }
.prose>:first-child { margin-top: 0 }
.prose :is(h2,h3,h4,h5,h6)+* { margin-top: .5em }
.prose h2 { font-size: var(--t-third); letter-spacing: -.01em }
.prose h3 { font-size: var(--t-deck) }
.prose :is(h4,h5,h6) { font-size: 1em }
.prose :is(ul,ol) { padding-inline-start: 1.5em }
.prose li+li { margin-top: .3em }
.task { list-style: none; margin-inline-start: -1.4em }
.prose blockquote { padding-inline-start: var(--s4); border-inline-start: var(--l-rule) solid var(--mark); color: var(--soft) }
.prose pre { direction: ltr; overflow: auto; padding: var(--s3) var(--s4); --ground: var(--wash); --shade: color-mix(in srgb,var(--soft) 45%,transparent); background: var(--edges),var(--wash); font-size: var(--t-small); line-height: 1.5; overflow-wrap: normal; tab-size: 2 }
.prose pre code { font-size: inherit }
.prose :not(pre)>code { padding: .08em .25em; background: var(--wash) }
.prose :is(ul,ol) :is(ul,ol) { margin-top: .3em }
.prose hr { width: 6rem; margin: 2em auto; border: 0; border-top: 3px double var(--soft) }
.prose figure { margin-block: 1.8em }
.prose figcaption { color: var(--soft); font: var(--t-small)/1.5 var(--sans) }
.listing pre { margin: 0 }
.listing figcaption { margin-bottom: var(--s2); font-weight: 600; font-size: var(--t-tiny) }
.request pre { border-inline-start: var(--l-heavy) solid var(--mark) }
.answer pre { --ground: var(--paper); border: var(--hairline); background: var(--edges) }
.listing code { -webkit-user-select: all; user-select: all }
.prose .listing { margin-block: 1.05em 1.4em }
.prose .request+.answer { margin-top: -.6em }
.prose sup { line-height: 0; font-size: .72em }
.footnotes { margin-top: 2.5em; padding-top: var(--s3); border-top: var(--hairline); font-size: var(--t-small) }
.checked { color: inherit; text-decoration: underline dotted 1px }
.flash { font-size: clamp(1.375rem,1.1rem + 1.4vw,1.75rem); line-height: 1.4 }
.work:has(.flash),.work:has(.flash)+.after { max-width: 46rem }
.work:has(.flash)>*>section { max-width: none }
.list { list-style: none }
.list:not(:has(.sheet)) { max-width: var(--w-measure) }
.list>li { padding: var(--s3) 0; border-bottom: var(--hairline) }
.list>li:first-child { padding-top: 0 }
.list>li:last-child { border: 0; padding-bottom: 0 }
.list>li>:first-child,.list>li>.small+p { font-size: var(--t-text) }
ol.list { counter-reset: item }
ol.list>li { counter-increment: item; position: relative; padding-inline-start: 2.2rem }
ol.list>li::before { content: counter(item); position: absolute; inset-inline-start: 0; color: var(--soft); font: var(--t-small)/1.9 var(--sans) }
.go { margin: 0 0 var(--s5); font: 600 var(--t-text)/1.5 var(--sans) }
.go a { color: var(--accent); text-decoration-thickness: 2px }
.work>aside { margin-top: var(--s7) }
@media (min-width:40rem) {
.work:has(.sheet,.flash) dl:not(.grid) { display: flex; flex-wrap: wrap; gap: 0 var(--s5) }
.work:has(.sheet,.flash) dl>div { border: 0 }
}
@media (min-width:62rem) {
.work:not(:has(.sheet,.flash)) { grid-template-columns: minmax(0,1fr) 17rem }
.work>header { grid-column: 1/-1 }
.work:not(:has(.sheet,.flash))>aside { grid-row: 2; grid-column: 2; margin: 0 }
}
@media (min-width:68rem) { .work>div>.prose>.flowchart:has(.w-680,.w-700) { margin-right: calc(-1*var(--s7)) } }
@media (max-width:61.99rem) { .work>aside { max-width: var(--w-measure) } }
`;
