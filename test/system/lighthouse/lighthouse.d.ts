/** Types for the part of Lighthouse that is used here. They are checked even where it is not installed. */
declare module 'lighthouse' {
  type Flags = {
    readonly port: number
    readonly onlyCategories: readonly string[]
    readonly skipAudits: readonly string[]
    readonly pauseAfterFcpMs?: number
    readonly pauseAfterLoadMs?: number
    readonly networkQuietThresholdMs?: number
    readonly cpuQuietThresholdMs?: number
    readonly logLevel: 'error'
  }

  type Category = { readonly id: string; readonly score: number | null }

  type Audit = {
    readonly id: string
    readonly score: number | null
    readonly numericValue?: number
    readonly explanation?: string
    readonly details?: {
      /** Rows of a table. */
      readonly items?: readonly Readonly<Record<string, unknown>>[]
    }
  }

  export type Result = {
    readonly categories: Readonly<Record<string, Category>>
    readonly audits: Readonly<Record<string, Audit>>
    readonly runtimeError?: { readonly message: string }
  }

  export default function lighthouse(
    url: string,
    flags: Flags,
  ): Promise<{ readonly lhr: Result } | undefined>
}
