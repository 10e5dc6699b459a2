import { expect, test } from 'vitest'
import { headingHeight, moreHeight, rowHeight } from '../../src/signage/board-rows.ts'
import { boardContents } from '../support/board-contents.ts'
import { estimatedFit, layoutFor } from './board-layout.ts'

const contents = boardContents(100)

test.for([
  { width: 1024, height: 768 },
  { width: 1080, height: 1920 },
  { width: 1920, height: 1080 },
  { width: 1024, height: 1024 },
])(
  'every page of a list fits, even if the screen of $width × $height is too small for its distance',
  (area) => {
    const pages = contents.flatMap((items) =>
      layoutFor(items, { ...area, distance: 10, inches: 10 }).panels.flatMap((panel) =>
        panel.pages.flatMap((page) => ('columns' in page ? [{ panel, page }] : [])),
      ),
    )
    expect(pages.length).toBeGreaterThan(contents.length)
    for (const { panel, page } of pages) {
      const rows = page.columns.flat()
      const heights = rows.map((row, index) => {
        const isNew = rows[index - 1]?.heading !== row.heading
        const heading = isNew
          ? headingHeight(row.heading, panel.width / page.size, estimatedFit)
          : 0
        return heading + rowHeight(row, page.form, estimatedFit)
      })
      const more = page.more > 0 ? moreHeight : 0
      const height = (heights.reduce((sum, each) => sum + each, 0) + more) * page.size
      expect(height).toBeLessThanOrEqual(panel.height + 0.01)
      // A single letter is useless.
      expect(rows.filter(({ title }) => /^.…$/u.test(title))).toEqual([])
    }
  },
)
