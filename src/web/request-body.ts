import express, { type RequestHandler } from 'express'
import { sendContinue } from './send-continue.ts'

/** Returns a handler that reads bodies of a media type. The limit is in bytes. */
export function bodyReader(
  format: 'text' | 'raw' | 'json',
  type: string,
  maxBytes: number,
): RequestHandler {
  const read = express[format]({ type, limit: maxBytes })
  return (request, response, next) => {
    const isAsked = request.is(type) !== false && sendContinue(request, response, maxBytes)
    if (!isAsked) read(request, response, next)
  }
}
