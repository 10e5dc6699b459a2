/** The most that a figure may be. */
export type Reach = { readonly most: number; readonly unit: string }

export function printFigure(name: string, figure: string): void {
  process.stdout.write(`  ${name.padEnd(44)}${figure}\n`)
}

export function printReach(name: string, value: number, { most, unit }: Reach): void {
  const verdict = value <= most ? 'kept' : 'missed'
  printFigure(name, `${value.toFixed(1)} ${unit} (reach: at most ${most}, ${verdict})`)
}

export function printMissing(part: string, reason: string): void {
  printFigure(part, `not measured: ${reason}`)
}
