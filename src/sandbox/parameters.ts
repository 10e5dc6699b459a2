import { ApiError } from './api-error.ts'
import { isDate } from './site-dates.ts'

const defaultMaxRows = 100
const largestMaxRows = 1000

/** Days from `start` to `end`, inclusive. An undefined bound means no limit. */
export type Period = { readonly start: string | undefined; readonly end: string | undefined }

/** Query parameters in a call, validated when read. Methods throw `invalid_parameter`. */
export type Parameters = {
  /** Returns a whole number. */
  readonly number: (name: string) => number | undefined
  /** Returns true if the value is 1. */
  readonly flag: (name: string) => boolean
  readonly choice: <T extends string>(name: string, choices: readonly T[]) => T | undefined
  readonly period: () => Period
  readonly page: () => { readonly startRow: number; readonly maxRows: number }
}

export function parametersFrom(query: string): Parameters {
  const values = new URLSearchParams(query)

  function text(name: string): string | undefined {
    const [value, ...others] = values.getAll(name)
    if (others.length > 0) throw invalid(`${name} appears more than once`)
    return value
  }

  function number(name: string): number | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    if (!/^-?\d{1,15}$/.test(value)) throw invalid(`${name} is not a number`)
    return Number(value)
  }

  function date(name: string): string | undefined {
    const value = text(name)
    if (value !== undefined && !isDate(value)) throw invalid(`${name} is not a date yyyy-mm-dd`)
    return value
  }

  return {
    number,
    flag: (name) => number(name) === 1,
    choice(name, choices) {
      const value = text(name)
      const choice = choices.find((known) => known === value)
      if (value !== undefined && choice === undefined) {
        throw invalid(`${name} is not one of ${choices.join(', ')}`)
      }
      return choice
    },
    period() {
      const [start, end] = [date('StartDate'), date('EndDate')]
      assertOrder(start, end)
      return { start, end }
    },
    page() {
      const startRow = number('StartRow') ?? 1
      const maxRows = number('MaxRows') ?? defaultMaxRows
      if (startRow < 1) throw invalid('StartRow is less than 1')
      if (maxRows < 1 || maxRows > largestMaxRows) {
        throw invalid(`MaxRows is not from 1 to ${largestMaxRows}`)
      }
      return { startRow, maxRows }
    },
  }
}

/** Throws if a window ends before it starts, even if one of the dates is a default. */
export function assertOrder(start: string | undefined, end: string | undefined): void {
  if (start !== undefined && end !== undefined && end < start) {
    throw invalid(`EndDate ${end} is before StartDate ${start}`)
  }
}

function invalid(detail: string): ApiError {
  return new ApiError('invalid_parameter', { detail })
}
