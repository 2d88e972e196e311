/** The search form: one line on a wide page, one column on a narrow one. */
export const SEARCH_RULES = `
.search { margin: var(--s6) auto 0; max-width: 46rem }
.search div { display: flex; flex-wrap: wrap; gap: var(--s2) }
.search input:not([type=checkbox]) { flex: 1 1 14rem; width: auto; max-width: none; min-width: 0 }
select { flex: 1 1 auto; max-width: 100% }
.ask { display: flex; flex-wrap: wrap; gap: var(--s3) var(--s5); max-width: none; margin: var(--s4) 0 0 }
.ask.search input { flex: 1 1 7rem; width: 100% }
.ask>:is(select,button) { align-self: end }
.ask fieldset { flex: 1 1 14rem }
.ask fieldset:has(div) { flex-grow: 3 }
.ask select { flex: none }
.ask div+div { margin-top: var(--s2) }
.ask .fault { flex: 0 0 100%; margin: 0 0 var(--s2) }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0 }
legend { margin-bottom: var(--s1); padding: 0; font-weight: 600 }
.fault { color: var(--accent); font-weight: 600 }
.chips li:not(:last-child) a { padding: .15rem .6rem; border: 1px solid var(--soft); text-decoration: none }
.chips { font: var(--t-small)/1.6 var(--sans) }
.facets ul { font: var(--t-small)/1.6 var(--sans); list-style: none }
.facets h3 { font: 600 var(--t-small)/1.6 var(--sans) }
.facets li li { display: flex; align-items: baseline; justify-content: space-between; padding: 0; border: 0 }
.use { max-width: none; margin-top: var(--s5); font-size: var(--t-text) }
.whole dd { white-space: pre-wrap }
.whole + .go { margin-top: var(--s3) }
`;
