/** Forms and narrow pages, those of readers too: the search, a report, signing in. */
export const NARROW_RULES = `
.narrow { max-width: 52rem; margin-inline: auto; padding-top: var(--s6) }
.narrow>h1 { margin-bottom: var(--s3); font-size: clamp(1.75rem,1.3rem + 2vw,2.25rem); letter-spacing: -.015em }
.narrow>p { max-width: var(--w-measure) }
.narrow>.facts { margin: var(--s5) 0 }
.narrow>*+p,.narrow>*+form { margin-top: var(--s4) }
form { font: var(--t-small)/1.5 var(--sans) }
label { display: block; margin-bottom: var(--s1); font-weight: 600 }
input:not([type=checkbox]),textarea,select { padding: .55rem .7rem; border: 1px solid var(--soft); border-radius: 0; background: var(--paper); color: var(--ink); font: var(--t-text)/1.4 var(--sans) }
input:not([type=checkbox]),textarea { width: 100%; max-width: 24rem }
form p { margin: var(--s1) 0 var(--s3); color: var(--soft) }
button { padding: .6rem 1.2rem; border: 1px solid var(--ink); border-radius: 0; background: var(--ink); color: var(--paper); font: 600 var(--t-small)/1.4 var(--sans); cursor: pointer }
button:hover { background: var(--accent); border-color: var(--accent) }
button.quiet { padding: .3rem .7rem; border-color: var(--soft); background: none; color: var(--ink); font-weight: 400 }
`;

/** The rules of the console alone, in a sheet of its own: readers never load it. */
export const CONSOLE_RULES = `
.narrow .block>*+*,.narrow form+form { margin-top: var(--s3) }
.narrow form { max-width: 24rem }
.narrow form.acts { max-width: none }
.narrow .block form select { width: 100%; font-size: var(--t-text) }
select+button,select+details,select+fieldset,details+button { margin-top: var(--s3) }
.tabs { padding-bottom: var(--s5); font: var(--t-small)/1.6 var(--sans) }
.tabs ul { display: flex; flex-wrap: wrap; gap: 0 var(--s4); list-style: none }
.tabs li { white-space: nowrap }
.tabs [aria-current] { font-weight: 700; text-decoration: underline }
.tick { display: flex; gap: var(--s2); align-items: baseline }
.tick label { margin: 0; color: var(--ink); font-weight: 400 }
.acts { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: end }
.narrow .acts>* { margin: 0 }
.narrow>.acts { align-items: center; margin-top: var(--s4) }
.acts form:has(>label) { display: grid; flex: 1 1 100%; grid-template-columns: minmax(0,1fr) auto; gap: var(--s1) var(--s2); align-items: center }
.acts form>:is(label,p) { grid-column: 1/-1; margin: 0 }
.acts form>.tick { margin-bottom: var(--s2) }
.acts form>button { margin: 0 }
.narrow .rows .acts form { max-width: none }
.narrow dl.grid { margin-top: 0 }
.narrow dl.grid dd { grid-column: 2 }
.preview { max-width: none; padding-top: var(--s5) }
.preview>* { margin: 0 }
.narrow details { margin: var(--s3) 0; font: var(--t-small)/1.6 var(--sans) }
.narrow .rows>li { align-items: start }
.rows>li>.acts { margin-top: var(--s2) }
@media (min-width:46rem) {
.narrow .rows>li { grid-template-columns: minmax(0,1fr) fit-content(16rem) }
.rows>li>.acts { justify-content: end; margin-top: 0 }
}
@media (max-width:45.99rem) { .narrow dl.grid dd { grid-column: 1 } }
.narrow .rows .hash { color: var(--soft) }
.acts input:not([type=checkbox]),.narrow .acts form select,.acts select { padding: .3rem .6rem; font: var(--t-small)/1.4 var(--sans) }
.acts>div :is(input:not([type=checkbox]),select) { width: auto }
fieldset { margin: 0 0 var(--s4); padding: 0; border: 0 }
legend { margin-bottom: var(--s2); font-weight: 600 }
.narrow form.consent { max-width: 34rem }
.tick input[type=radio] { width: auto; padding: 0 }
.consent .who { overflow-wrap: anywhere; font: 600 var(--t-deck)/1.35 var(--sans) }
.consent .new-agent { margin: var(--s2) 0 0 var(--s5) }
.consent fieldset:has(#agent-new:not(:checked)) .new-agent { display: none }
.consent>.acts { margin-top: var(--s4); align-items: center }
.command { overflow: auto; margin: var(--s3) 0; padding: var(--s3) var(--s4); background: var(--wash); font: var(--t-small)/1.6 var(--mono); white-space: pre-wrap; user-select: all }
.code { margin: var(--s3) 0; font: 600 var(--t-deck)/1.4 var(--mono); user-select: all }
`;
