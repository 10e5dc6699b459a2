import type { z } from 'zod'

/** Checks settings against a schema. Treats an invalid one as not set, so that one run finds every fault. */
export function parsedSettings<S extends z.ZodObject>(
  schema: S,
  values: Readonly<Record<string, string>>,
): { readonly settings: z.infer<S>; readonly faults: readonly string[] } {
  const { data, error } = schema.safeParse(values)
  if (data) return { settings: data, faults: [] }
  const wrong = new Set(error?.issues.map(({ path }) => path[0]))
  const rest = Object.entries(values).filter(([name]) => !wrong.has(name))
  const settings = schema.parse(Object.fromEntries(rest))
  return { settings, faults: error?.issues.map(faultOf) ?? [] }
}

function faultOf(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')} ${issue.message}.`
}
