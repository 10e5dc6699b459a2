import type { Response } from 'express'

/** An answer that is one plain sentence for people. */
export function sentence(response: Response, status: number, text: string): void {
  response.status(status).set('Cache-Control', 'no-store').type('text/plain').send(`${text}\n`)
}
