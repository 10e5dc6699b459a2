import { z } from 'zod'

export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error)
}

export const oneLine = (max: number, error = 'must be one line') =>
  z
    .string()
    .regex(/^\P{Cc}+$/u, error)
    .max(max, `must have at most ${max} characters`)

/** Returns true for text that starts like a URL, unlike a path. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text)
}

export function isHttpsUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:') return false
  return url.username === '' && url.password === '' && url.hash === ''
}
