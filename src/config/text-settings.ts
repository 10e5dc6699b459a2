import { z } from 'zod'
import { colorFrom } from '../calendar/color.ts'
import { languageFrom, maxTagLength } from '../records/language.ts'
import { isHttpsUrl, oneLine } from './value-schemas.ts'

type TextSetting = { readonly maxLength: number; readonly schema: z.ZodType<string> }

/** Fits under the name in the page header on a phone. */
export const maxPlaceLength = 60

const place = oneLine(maxPlaceLength, 'must be one line, like Cedar Hollow, NY')

const maxLogoLength = 500

/** Six lowercase hex digits with "#". */
const color = z
  .string()
  .refine(
    (text) => colorFrom(text) !== undefined,
    'must be six hex digits, like b3261e, or a color name, like firebrick',
  )
  .transform((text) => `#${colorFrom(text)}`)

/** Unlike the variable, never a file path, because admins may not have access to the server. */
const logoUrl = z
  .string()
  .max(maxLogoLength, `must have at most ${maxLogoLength} characters`)
  .refine(isHttpsUrl, 'must be an https URL of a PNG, JPEG, WebP or GIF picture')

/** A language in which dates can be written, as a normalized BCP 47 tag. */
const language = z
  .string()
  .transform((tag) => languageFrom(tag) ?? '')
  .refine((tag) => tag !== '', 'must be a language, like en-US, es-PR or fr-CA')

/**
 * Texts that an admin can change, in the order of the form. Stores use these names, and the
 * environment uses `SITE_NAME` and so on. All except the name and language belong to the identity.
 */
export const textSettings = {
  name: { maxLength: 100, schema: oneLine(100) },
  place: { maxLength: maxPlaceLength, schema: place },
  color: {
    // The longest color name has 20 letters.
    maxLength: 30,
    schema: color,
  },
  logo: { maxLength: maxLogoLength, schema: logoUrl },
  language: { maxLength: maxTagLength, schema: language },
} satisfies Readonly<Record<string, TextSetting>>

type TextName = keyof typeof textSettings
type Variable = `SITE_${Uppercase<TextName>}`

export const textNames = Object.keys(textSettings) as readonly TextName[]

export const variableOf = (name: TextName) => `SITE_${name.toUpperCase()}` as Variable

export function eachText<T>(valueOf: (name: TextName) => T): Readonly<Record<TextName, T>> {
  const values = textNames.map((name) => [name, valueOf(name)])
  return Object.fromEntries(values) as Readonly<Record<TextName, T>>
}

export const textVariables = Object.fromEntries<z.ZodOptional<z.ZodType<string>>>(
  textNames.map((name) => [variableOf(name), textSettings[name].schema.optional()]),
) as Readonly<Record<Variable, z.ZodOptional<z.ZodType<string>>>>
