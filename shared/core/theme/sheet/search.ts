/** The search form: one line on a wide page, one column on a narrow one. */
export const SEARCH_RULES = `
.search { margin: var(--s6) auto 0; max-width: 46rem }
.search>div { display: flex; flex-wrap: wrap; gap: var(--s2) }
.search input:not([type=checkbox]):not([type=hidden]) { flex: 1 1 14rem; width: auto; max-width: none; min-width: 0 }
select { flex: 0 1 auto; max-width: 100%; padding: .55rem .7rem; border: 1px solid var(--soft); border-radius: 0; background: var(--paper); color: var(--ink); font: var(--t-small)/1.4 var(--sans) }
`;
