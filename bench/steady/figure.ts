/** Limit that a figure should not exceed. */
export type Target = { readonly max: number; readonly unit: string }

export function printFigure(name: string, figure: string): void {
  process.stdout.write(`  ${name.padEnd(44)}${figure}\n`)
}

export function printTarget(name: string, value: number, { max, unit }: Target): void {
  const verdict = value <= max ? 'met' : 'missed'
  printFigure(name, `${value.toFixed(1)} ${unit} (target: at most ${max}, ${verdict})`)
}

export function printMissing(part: string, reason: string): void {
  printFigure(part, `not measured: ${reason}`)
}
