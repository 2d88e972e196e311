import { z } from "zod";

/** What tools say of a member, in fewer words than the document: every tool's list has room for 9,000 tokens in all. */
export interface ToolWords {
  about?: string;
  /** The most characters of a text. */
  characters?: number;
  /** The most items of a list. */
  items?: number;
  /** Sentences about members of the objects in it. */
  members?: Readonly<Record<string, string>>;
  /** Objects in it, by their member, whose own members tools leave to the documentation. */
  open?: readonly string[];
}

interface Form {
  type?: string;
  enum?: unknown[];
  anyOf?: Form[];
  items?: Form;
  properties?: Record<string, Form>;
  required?: string[];
}

/**
 * A member as tools take it: the members and lists of its schema, without the rules of texts, numbers and lists. Only the
 * request states these, so that the two always agree.
 */
export function toToolForm(name: string, schema: z.ZodType, words: ToolWords): z.ZodType {
  const form = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Form;
  const known = bound(toForm(name, form, words), words);
  const taken = known.optional();
  return words.about === undefined ? taken : taken.describe(words.about);
}

function bound(form: z.ZodType, { characters, items }: ToolWords): z.ZodType {
  if (form instanceof z.ZodArray && items !== undefined) return form.max(items);
  return characters === undefined ? form : z.string().max(characters);
}

function toForm(name: string, form: Form, words: ToolWords): z.ZodType {
  const { type, anyOf, items, properties, required = [] } = form;
  const [choice, ...others] = anyOf?.filter((one) => one.type !== "null") ?? [];
  if (words.open?.includes(name) && (choice === undefined || others.length > 0)) {
    const own = z.looseObject({});
    return others.some((one) => one.type === "array") ? z.union([own, z.array(own)]) : own;
  }
  if (choice !== undefined) return toForm(name, choice, words);
  if (form.enum !== undefined) return z.enum(form.enum as string[]);
  if (type === "array") return z.array(items === undefined ? z.unknown() : toForm(name, items, words));
  if (type === "object") {
    const members = Object.entries(properties ?? {}).map(([of, member]) => {
      const own = required.includes(of) ? toForm(of, member, words) : toForm(of, member, words).optional();
      const about = words.members?.[of];
      return [of, about === undefined ? own : own.describe(about)];
    });
    return z.strictObject(Object.fromEntries(members));
  }
  if (type === "integer") return z.int();
  if (type === "number") return z.number();
  return type === "boolean" ? z.boolean() : z.string();
}
