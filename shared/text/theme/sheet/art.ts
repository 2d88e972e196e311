/** Artwork: covers, avatars. */
export const ART_RULES = `
.cover { display: block; width: 100%; height: auto; aspect-ratio: 4; max-height: 15rem; object-fit: cover; background: var(--wash) }
main>.cover { margin-top: var(--s4) }
.avatar { width: 3rem; height: 3rem; background: var(--wash) }
.plate .avatar { position: relative; display: block; width: 6.5rem; height: 6.5rem; margin: 0 auto var(--s3); border: var(--s1) solid var(--paper); background: var(--paper) }
.plate .cover { max-height: 8rem; object-position: 50% 20% }
.plate .cover+.avatar { margin-top: -3.75rem }
.by:has(>.avatar) { display: flex; gap: var(--s3) }
.by>.avatar { flex: none }
.card .cover { margin-bottom: var(--s3) }
.people li:has(>.avatar) { display: grid; grid-template-columns: 3rem minmax(0,1fr); gap: 0 var(--s3); align-content: start }
.people li>.avatar { grid-row: 1/4; margin-top: .2rem }
@media (max-width:40rem) { .cover { aspect-ratio: 3 } }
`;
