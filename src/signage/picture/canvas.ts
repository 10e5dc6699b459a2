import type { TextFit } from '../board-text.ts'

/** Colors of a drawing, as hex digits with "#". */
export type Inks = {
  readonly paper: string
  readonly text: string
  readonly muted: string
  /** Notes about changes, and lines below headings. */
  readonly accent: string
  readonly open: string
  /** Background of an emergency's text. */
  readonly alarm: string
  readonly onAlarm: string
  /** Returns the color of a calendar's bar, or undefined if the display cannot show any. */
  readonly bar: (color: string) => string | undefined
}

export type TextStyle = {
  /** Type size in pixels. */
  readonly size: number
  readonly isBold?: boolean
  readonly color?: string
  readonly align?: 'start' | 'middle' | 'end'
}

export type Run = { readonly text: string; readonly isBold: boolean; readonly color: string }

/** Height of capital letters in em. */
const capitalHeight = 0.66

export type Canvas = ReturnType<typeof createCanvas>

/** Collects shapes and text in an SVG. Positions are rounded, because displays have large pixels. */
export function createCanvas(options: {
  readonly width: number
  readonly height: number
  readonly fit: TextFit
  readonly inks: Inks
  readonly fontFamily: string
}) {
  const { width, height, fit, inks, fontFamily } = options
  const parts: string[] = []

  const rect = (x: number, y: number, w: number, h: number, color: string) => {
    const [left, top] = [Math.round(x), Math.round(y)]
    const [right, bottom] = [Math.round(x + w), Math.round(y + h)]
    const size = `width="${Math.max(1, right - left)}" height="${Math.max(1, bottom - top)}"`
    parts.push(`<rect x="${left}" y="${top}" ${size} fill="${color}"/>`)
  }

  /** Draws runs in a line box with its top at `y` and a height in pixels. */
  function line(runs: readonly Run[], x: number, y: number, height: number, style: TextStyle) {
    const { size, align = 'start' } = style
    const baseline = Math.round(y + (height + capitalHeight * size) / 2)
    const anchor = align === 'start' ? '' : ` text-anchor="${align}"`
    const spans = runs.map(({ text, isBold, color }) => {
      const weight = isBold ? ' font-weight="700"' : ''
      return `<tspan${weight} fill="${color}">${escaped(text)}</tspan>`
    })
    parts.push(
      `<text x="${Math.round(x)}" y="${baseline}" font-size="${size.toFixed(1)}"${anchor}>${spans.join('')}</text>`,
    )
  }

  const oneRun = (text: string, { isBold = false, color = inks.text }: TextStyle): Run => ({
    text,
    isBold,
    color,
  })

  const canvas = {
    inks,
    fit,
    rect,
    line,
    text: (text: string, x: number, y: number, height: number, style: TextStyle) =>
      line([oneRun(text, style)], x, y, height, style),
    /** Draws a paragraph with lines of this width and height. Returns the y coordinate below it. */
    paragraph(
      text: string,
      box: { readonly x: number; readonly y: number; readonly width: number },
      lineHeight: number,
      style: TextStyle,
    ): number {
      const lines = linesOf(text, box.width / style.size, fit, style.isBold)
      const x = style.align === 'middle' ? box.x + box.width / 2 : box.x
      for (const [index, each] of lines.entries()) {
        canvas.text(each, x, box.y + index * lineHeight, lineHeight, style)
      }
      return box.y + lines.length * lineHeight
    },
    frame(x: number, y: number, w: number, h: number, thickness: number, color: string) {
      rect(x, y, w, thickness, color)
      rect(x, y + h - thickness, w, thickness, color)
      rect(x, y, thickness, h, color)
      rect(x + w - thickness, y, thickness, h, color)
    },
    /** Draws an SVG in a square. */
    inset(svg: string, x: number, y: number, side: number) {
      const at = `x="${Math.round(x)}" y="${Math.round(y)}" width="${side}" height="${side}"`
      parts.push(svg.replace('<svg ', `<svg ${at} `))
    },
    svg: () =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${fontFamily}" shape-rendering="crispEdges" xml:space="preserve"><rect width="${width}" height="${height}" fill="${inks.paper}"/>${parts.join('')}</svg>`,
  }
  return canvas
}

/** Breaks text into lines of a width in em, at most as many as `fit` counts. */
export function linesOf(text: string, width: number, fit: TextFit, isBold = false): string[] {
  const count = fit.lines(text, width, isBold)
  const hyphenated = brokenLines(text, width, fit, { isBold, hyphen: '-' })
  if (hyphenated.length <= count) return hyphenated
  return brokenLines(text, width, fit, { isBold, hyphen: '' }).slice(0, count)
}

type Breaking = { readonly isBold: boolean; readonly hyphen: string }

function brokenLines(text: string, width: number, fit: TextFit, breaking: Breaking): string[] {
  const widthOf = (part: string) => fit.width(part, breaking.isBold)
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    let used = 0
    const words = paragraph.split(/[ \t\r\f]+/).filter((word) => word !== '')
    for (const part of words.flatMap((word) => partsOf(word, width, breaking.hyphen, widthOf))) {
      const added = (line === '' ? 0 : widthOf(' ')) + widthOf(part)
      if (line !== '' && used + added > width) {
        lines.push(line)
        line = part
        used = widthOf(part)
      } else {
        line += line === '' ? part : ` ${part}`
        used += added
      }
    }
    lines.push(line)
  }
  return lines
}

/** Divides a word that is wider than a line. */
function partsOf(
  word: string,
  width: number,
  hyphen: string,
  widthOf: (text: string) => number,
): string[] {
  if (widthOf(word) <= width) return [word]
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const character of word) {
    const added = widthOf(character)
    const isInWord = /\p{L}$/u.test(part) && /\p{L}/u.test(character)
    const end = isInWord ? hyphen : ''
    if (part !== '' && used + added + widthOf(end) > width) {
      parts.push(part + end)
      part = ''
      used = 0
    }
    part += character
    used += added
  }
  return [...parts, part]
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
