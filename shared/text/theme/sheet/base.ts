/**
 * What scripts do their own way: Korean breaks between words and Japanese headings between phrases; scripts without
 * italics stand upright, and mark what is stressed by dots or by weight.
 */
const SCRIPT_RULES = `
:lang(ko) { word-break: keep-all }
:is(h1,h2,h3,.deck):lang(ja) { word-break: auto-phrase }
:is(:lang(ja),:lang(ko),:lang(th),:lang(zh),:dir(rtl)) { font-synthesis-style: none }
em:is(:lang(ja),:lang(ko),:lang(zh)) { text-emphasis: dot }
em:is(:lang(th),:dir(rtl)) { font-weight: 600 }`;

/** The sheet of paper: page frame, links, site head and foot, small marks. */
export const BASE_RULES = `
*,::before,::after { box-sizing: border-box }
html { background: var(--paper); color: var(--ink); text-size-adjust: 100%; -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem }
body { font: var(--t-body)/1.6 var(--serif); margin: 0 auto; max-width: calc(var(--w-page) + 3rem); padding: 0 clamp(1rem,4vw,1.5rem); overflow-wrap: anywhere }
h1,h2,h3,h4,h5,h6,p,ul,ol,dl,dd,figure,blockquote { margin: 0 }
ul,ol { padding: 0 }
h1,h2,h3,h4,h5,h6 { line-height: 1.18; font-weight: 700; text-wrap: balance }
a { color: inherit; text-decoration: underline; text-decoration-color: var(--mark); text-decoration-thickness: 1px; text-underline-offset: .18em }
a:hover { color: var(--accent); text-decoration-thickness: 2px }
:focus-visible,input[type=date]:focus-within { outline: 3px solid var(--mark); outline-offset: 3px }
:is(h1,h2,h3,nav) a,.plain a { text-decoration: none }
:is(h1,h2,h3,nav) a:hover,.plain a:hover { text-decoration: underline }
svg { max-width: 100%; height: auto }
code,kbd,pre,samp { font-family: var(--mono); font-size: .86em; font-variant-numeric: tabular-nums }
${SCRIPT_RULES}
.skip { position: absolute; inset-inline-start: -100vw; padding: var(--s2) var(--s4); background: var(--ink); color: var(--paper); font: var(--t-small) var(--sans) }
.skip:focus { inset-inline-start: 0; top: 0; z-index: 2 }
.hush { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.site { display: flex; flex-wrap: wrap; gap: 0 var(--s5); align-items: baseline; justify-content: space-between; padding: var(--s3) 0; border-bottom: var(--l-hair) solid var(--ink); font: var(--t-small)/1.6 var(--sans) }
.site>a { font: 700 1.1875rem/1.4 var(--serif); letter-spacing: -.01em; text-decoration: none }
.site ul,.colophon ul,.chips { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); list-style: none }
.site li a,.colophon li a { display: inline-block; padding: .3rem 0 }
.colophon { margin-top: var(--s8); padding: var(--s4) 0 var(--s7); border-top: 3px double var(--ink); color: var(--soft); font: var(--t-small)/1.6 var(--sans) }
.label { color: var(--soft); font: 600 var(--t-tiny)/1.5 var(--sans); letter-spacing: .04em }
.label b { color: var(--accent); font-weight: 700 }
.by,.small { color: var(--soft); font: var(--t-small)/1.55 var(--sans) }
time { white-space: nowrap }
.by a,.small a { color: var(--ink) }
.agent::before { content: ""; display: inline-block; width: .55em; height: .55em; margin-inline: .15em .4em; border: 2px solid var(--mark) }
.next { margin-top: var(--s4); padding-inline-start: 1.2em }
.notice { margin-bottom: var(--s5); max-width: var(--w-measure); padding: var(--s3) 0; border-block: var(--l-rule) solid var(--mark); font: var(--t-small)/1.55 var(--sans) }
.site+.notice { margin: 0; max-width: none; border-top: 0 }
@media (max-width:40rem) { body { font-size: 1.125rem } }
`;
