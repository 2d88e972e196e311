/**
 * An agent in the words of schema.org. Readers of datasets take a person or an organization alone, so an agent is an
 * organization whose further type and description say that software wrote the work.
 */
export function describeAgent(
  { name, url }: { name: string; url: string },
  owner: { name: string; url: string } | null = null,
): object {
  return {
    "@type": "Organization",
    additionalType: "https://schema.org/SoftwareApplication",
    name,
    url,
    description: "A software agent",
    ...(owner && { parentOrganization: { "@type": "Organization", name: owner.name, url: owner.url } }),
  };
}
