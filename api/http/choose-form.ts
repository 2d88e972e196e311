/** A form of a page beside HTML: its media type, and the profile by which alone it is asked for. */
export interface Form {
  type: string;
  profile?: string;
}

/** Words of which every media type of a form has one, and none that browsers ask for. */
const FORM_WORDS = /json|bibtex|markdown/i;

/**
 * The form that an Accept header prefers to HTML; null for HTML. A form has to be named: HTML answers wildcards, and
 * wins where it is named and no form is preferred to it, as browsers name it.
 */
export function chooseForm<Known extends Form>(
  accept: string | undefined,
  forms: readonly Known[],
): Known | null {
  if (forms.length === 0 || accept === undefined || !FORM_WORDS.test(accept)) return null;
  const ranges = accept.split(",").map(readRange);
  const named = Math.max(
    0,
    ...ranges.filter(({ type }) => HTML_TYPES.has(type)).map(({ quality }) => quality),
  );
  const wild = Math.max(0, ...ranges.filter(({ type }) => WILDCARDS.has(type)).map(({ quality }) => quality));
  let best: { form: Known; quality: number } | null = null;
  for (const range of ranges) {
    const form = findForm(range, forms);
    if (form !== null && range.quality > (best?.quality ?? 0)) best = { form, quality: range.quality };
  }
  return best !== null && best.quality > named && best.quality >= wild ? best.form : null;
}

const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);
const WILDCARDS = new Set(["*/*", "text/*"]);

type MediaRange = ReturnType<typeof readRange>;

function readRange(range: string) {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
  const values = new Map(
    parameters.map((parameter): [string, string] => {
      const [name = "", ...value] = parameter.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim().replaceAll('"', "")];
    }),
  );
  const quality = Number(values.get("q") ?? 1);
  return {
    type: type.toLowerCase(),
    profiles: values.get("profile")?.split(" ") ?? [],
    quality: quality >= 0 && quality <= 1 ? quality : 0,
  };
}

/** A profile that no form has counts as none: it is a wish, and the type is the demand. */
function findForm<Known extends Form>({ type, profiles }: MediaRange, forms: readonly Known[]): Known | null {
  const own = forms.filter((form) => form.type === type);
  const asked = own.find(({ profile }) => profile !== undefined && profiles.includes(profile));
  return asked ?? own.find(({ profile }) => profile === undefined) ?? null;
}
