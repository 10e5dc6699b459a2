import { ApiError } from './api-error.ts'
import { isDate } from './site-dates.ts'

const defaultMaxRows = 100
const largestMaxRows = 1000

/** The query of one call, checked as it is read. Throws `invalid_parameter`. */
export type Parameters = {
  /** A whole number. */
  readonly number: (name: string) => number | undefined
  /** Whether the number is 1. */
  readonly flag: (name: string) => boolean
  readonly period: () => { readonly start: string | undefined; readonly end: string | undefined }
  readonly page: () => { readonly startRow: number; readonly maxRows: number }
}

export function parametersFrom(query: URLSearchParams): Parameters {
  function text(name: string): string | undefined {
    const [value, ...others] = query.getAll(name)
    if (others.length > 0) throw new ApiError('invalid_parameter', `${name} is given twice`)
    return value
  }

  function number(name: string): number | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    if (!/^-?\d{1,15}$/.test(value)) {
      throw new ApiError('invalid_parameter', `${name} is not a number`)
    }
    return Number(value)
  }

  function date(name: string): string | undefined {
    const value = text(name)
    if (value !== undefined && !isDate(value)) {
      throw new ApiError('invalid_parameter', `${name} is not a date yyyy-mm-dd`)
    }
    return value
  }

  return {
    number,
    flag: (name) => number(name) === 1,
    period() {
      const [start, end] = [date('StartDate'), date('EndDate')]
      assertOrder(start, end)
      return { start, end }
    },
    page() {
      const startRow = number('StartRow') ?? 1
      const maxRows = number('MaxRows') ?? defaultMaxRows
      if (startRow < 1) throw new ApiError('invalid_parameter', 'StartRow is less than 1')
      if (maxRows < 1 || maxRows > largestMaxRows) {
        throw new ApiError('invalid_parameter', `MaxRows is not from 1 to ${largestMaxRows}`)
      }
      return { startRow, maxRows }
    },
  }
}

/** A window that ends before it starts is an error, also when one side of it is a default. */
export function assertOrder(start: string | undefined, end: string | undefined): void {
  if (start !== undefined && end !== undefined && end < start) {
    throw new ApiError('invalid_parameter', 'EndDate is before StartDate')
  }
}
