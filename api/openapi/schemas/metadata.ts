import { z } from "zod";
import { DATA_PACKAGE } from "../../../shared/text/metadata/data-package.ts";
import { MEDIA_TYPES, PARQUET_TYPE } from "../../../shared/text/metadata/described-work.ts";
import { Dialect } from "./asset.ts";
import { address, count, sha256Hex, Timestamp } from "./members.ts";

const mediaType = z.enum(Object.values(MEDIA_TYPES));
const reference = z.strictObject({ "@id": z.string() });
const version = z.string().describe("The revision's number as a version of three parts.");
const organization = z.strictObject({
  "@type": z.literal("Organization"),
  name: z.string(),
  url: address,
});
const agent = organization.extend({
  additionalType: z.literal("https://schema.org/SoftwareApplication"),
  description: z.string(),
  parentOrganization: organization.optional().describe("The owner, where the owner is shown."),
});

const field = z.strictObject({
  "@type": z.literal("cr:Field"),
  "@id": z.string(),
  name: z.string().describe("As the file writes it."),
  description: z.string().optional(),
  dataType: z.enum(["sc:Integer", "sc:Float", "sc:Date", "sc:DateTime", "sc:Boolean", "sc:Text"]),
  equivalentProperty: z.string().optional().describe("What the column means, as an address."),
  source: z.strictObject({
    fileObject: reference,
    extract: z.union([z.strictObject({ column: z.string() }), z.strictObject({ jsonPath: z.string() })]),
    transform: z
      .strictObject({ jsonPath: z.string() })
      .optional()
      .describe("The path to the cell in each record, where a record may lack it."),
  }),
});

/** croissant.json of a dataset. */
export const Croissant = z.strictObject({
  "@context": z.looseObject({}).describe("That of Croissant 1.1."),
  "@type": z.literal("sc:Dataset"),
  conformsTo: address,
  name: z.string(),
  description: z.string(),
  license: address,
  url: address,
  inLanguage: z.string().optional().describe("As a tag of BCP 47, where it is said."),
  creator: agent,
  datePublished: Timestamp,
  dateModified: Timestamp,
  version,
  isLiveDataset: z.literal(true).optional().describe("Where its agent promises to renew it."),
  citeAs: z.string().optional().describe("The revision in BibTeX."),
  distribution: z.array(
    z.strictObject({
      "@type": z.literal("cr:FileObject"),
      "@id": z.string(),
      name: z.string(),
      description: z.string().optional(),
      contentUrl: address,
      contentSize: z.string().regex(/^\d+ B$/),
      encodingFormat: mediaType.or(z.literal(PARQUET_TYPE)),
      sha256: sha256Hex,
    }),
  ),
  recordSet: z
    .array(
      z.strictObject({
        "@type": z.literal("cr:RecordSet"),
        "@id": z.string(),
        name: z.string(),
        key: z
          .union([reference, z.array(reference).min(2)])
          .optional()
          .describe("The primary key of the dictionary."),
        field: z.array(field).max(300),
      }),
    )
    .optional(),
});

const resource = z.strictObject({
  name: z.string(),
  path: address,
  title: z.string(),
  description: z.string().optional(),
  format: z.enum(["csv", "json", "jsonl", "txt", "md"]),
  mediatype: mediaType,
  encoding: z.string(),
  bytes: count,
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  type: z.literal("table").optional().describe("Of a table alone."),
  dialect: Dialect.partial()
    .extend({
      headerJoin: z.literal(" ").optional(),
      property: z.string().optional().describe("The list of records in a JSON document."),
    })
    .optional()
    .describe("How the table is written, where that is not as usual."),
  schema: z
    .strictObject({
      fields: z.array(
        z.strictObject({
          name: z.string(),
          type: z.string(),
          format: z.string().optional(),
          trueValues: z.array(z.string()).optional(),
          falseValues: z.array(z.string()).optional(),
          title: z.string().optional(),
          description: z.string().optional(),
          unit: z.string().optional(),
          rdfType: z.string().optional().describe("What the column means, as an address."),
          missingValues: z.array(z.string()).optional(),
          categories: z.array(z.strictObject({ value: z.string(), label: z.string().optional() })).optional(),
          constraints: z
            .strictObject({
              required: z.literal(true).optional(),
              unique: z.literal(true).optional(),
              minimum: z.union([z.number(), z.string()]).optional(),
              maximum: z.union([z.number(), z.string()]).optional(),
              enum: z.array(z.string()).optional(),
            })
            .optional(),
        }),
      ),
      primaryKey: z.array(z.string()).optional(),
      foreignKeys: z
        .array(
          z.strictObject({
            fields: z.array(z.string()),
            reference: z.strictObject({ resource: z.string(), fields: z.array(z.string()) }),
          }),
        )
        .optional(),
    })
    .optional(),
});

/** datapackage.json of a dataset. */
export const DataPackage = z.strictObject({
  $schema: z.literal(DATA_PACKAGE),
  name: z.string(),
  id: address,
  title: z.string(),
  description: z.string(),
  homepage: address,
  version,
  created: Timestamp,
  licenses: z.array(z.strictObject({ name: z.string(), path: address, title: z.string() })).optional(),
  contributors: z.array(
    z.strictObject({ title: z.string(), path: address, roles: z.array(z.literal("creator")) }),
  ),
  sources: z.array(z.strictObject({ title: z.string(), path: z.string() })).optional(),
  keywords: z.array(z.string()).optional(),
  resources: z.array(resource),
});

const target = z.strictObject({
  href: address,
  type: z.string().optional(),
  profile: z.array(z.string()).optional(),
});

/** linkset.json of a work. */
export const Linkset = z.strictObject({
  linkset: z.array(
    z
      .object({ anchor: address })
      .catchall(z.array(target))
      .describe("The links of one address, by their relations."),
  ),
});
