/** The address of the Markdown of a front page, of a work's page or of a revision's page, by the address of that page. */
export function addressMarkdown(pageUrl: string): string {
  return `${pageUrl}.md`;
}
