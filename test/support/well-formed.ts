import { SaxesParser } from 'saxes'

/** Throws at the first fault of an XML document, like a strict reader. */
export function assertWellFormed(xml: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
}
