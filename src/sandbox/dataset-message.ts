import type { z } from 'zod'

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
}

/** Describes an invalid dataset value in plain English. */
export const messageOf: z.core.$ZodErrorMap = (issue) => {
  const isMissing = issue.input === undefined
  switch (issue.code) {
    case 'invalid_type':
      return isMissing ? 'missing' : `not ${nouns[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return isMissing ? 'missing' : `not one of ${wordsFor(issue.values)}`
    case 'too_small':
      return issue.origin === 'string' ? 'empty' : 'too small'
    case 'unrecognized_keys':
      return `unknown property ${issue.keys.join(', ')}`
    default:
      return issue.message
  }
}

function wordsFor(values: readonly unknown[]): string {
  const areNumbers = values.every((value) => typeof value === 'number')
  return `${areNumbers ? 'the numbers ' : ''}${values.map(String).join(', ')}`
}
