import { SaxesParser } from 'saxes'

/** Throws if an XML document is not well-formed. */
export function assertWellFormed(xml: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
}
