import { z } from 'zod'
import { hourMs, type TimeSource } from '../clock.ts'
import { parsedJson } from '../json.ts'
import { siteDateAt } from '../records/site-time.ts'
import { hashWithCode, pageCode } from '../representations/presentation-changed-at.ts'
import type { ExportDirectory } from './export-directory.ts'
import type { StaticSite } from './static-site.ts'

/**
 * Maximum age of an export that is not rendered again. Pictures that could not be fetched are not among
 * the inputs.
 */
const maxAgeMs = hourMs

const stateSchema = z.object({
  /** Hash of everything that the export was rendered from. */
  inputs: z.string(),
  /** Period in milliseconds since the epoch. */
  renderedAt: z.number(),
  validUntil: z.number(),
  /** Time at which the board's pictures must be drawn again. */
  picturesUntil: z.number().nullable(),
  /** Files of the export, and a hash that changes if one of them does. */
  files: z.array(z.string()),
  /** Number of files without their compressed copies. */
  count: z.number(),
  stamp: z.string(),
})

type State = z.infer<typeof stateSchema>

/** Detects that another export would write the same files. */
export function createUnchangedExport(
  directory: ExportDirectory,
  {
    site,
    collections,
    representations,
    overviews,
    shownFeeds,
    imagePaths,
    boardPicturePaths,
  }: StaticSite,
  options: {
    readonly isPrecompressed: boolean
    readonly hasDirectories?: boolean | undefined
    readonly clock: TimeSource
  },
) {
  const { clock, isPrecompressed, hasDirectories = false } = options

  function validUntil(): number {
    const ofLists = shownFeeds().map((feed) => overviews.of(feed, 'public')?.validUntil ?? 0)
    const ofFeeds = representations.kept().pinned.map((rendered) => rendered.validUntil)
    return Math.min(clock.now() + maxAgeMs, ...ofLists, ...ofFeeds)
  }

  async function storedState(): Promise<State | undefined> {
    return stateSchema.safeParse(parsedJson((await directory.state()) ?? '')).data
  }

  return {
    /** Returns a hash of everything that pages and feeds are rendered from, except the time of day. */
    inputs(): string {
      const copies = shownFeeds().map(({ id, resource }) => {
        const { version, changedAt, partNames, pictureTypes, ledger } =
          collections.copyOf(resource) ?? {}
        return [id, version, changedAt, partNames, pictureTypes, [...(ledger ?? [])]]
      })
      const date = siteDateAt(clock.now(), site.timeZone)
      const settings = [
        site,
        imagePaths,
        boardPicturePaths,
        isPrecompressed,
        hasDirectories,
        date,
        copies,
      ]
      return hashWithCode(settings, pageCode)
    },
    /** Returns the number of files if they are unchanged and would be rendered the same, or undefined. */
    async count(inputs: string): Promise<number | undefined> {
      const stored = await storedState()
      const now = clock.now()
      if (!stored || stored.inputs !== inputs) return undefined
      if (now < stored.renderedAt || now >= stored.validUntil) return undefined
      return (await directory.stampOf(stored.files.filter(isLasting))) === stored.stamp
        ? stored.count
        : undefined
    },
    async remember(
      done: Pick<State, 'inputs' | 'count' | 'picturesUntil'> & {
        readonly files: readonly string[]
      },
    ): Promise<void> {
      const stamp = await directory.stampOf(done.files.filter(isLasting))
      const state = { ...done, renderedAt: clock.now(), validUntil: validUntil(), stamp }
      await directory.keepState(JSON.stringify(state))
    },
    async isPictureDue(): Promise<boolean> {
      const { picturesUntil = 0 } = (await storedState()) ?? {}
      return clock.now() >= (picturesUntil ?? Infinity)
    },
    async rememberPictures(picturesUntil: number): Promise<void> {
      const stored = await storedState()
      if (stored) await directory.keepState(JSON.stringify({ ...stored, picturesUntil }))
    },
  }
}

/** Returns false for files that every export writes. */
function isLasting(file: string): boolean {
  return !/^(?:[a-z]{2}\/)?board(?:\.html|\.png|\/screen\.json|\/[^/]+\.(?:png|bmp))(?:\.gz|\.br)?$/.test(
    file,
  )
}
