import express, { Router, type Response } from 'express'

/** The website's pictures, attachments and videos, which records name; anyone may fetch them. */
export function fileRoutes(directory: string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.use('/files/', express.static(directory, { index: false, redirect: false, setHeaders }))
  return router
}

/** A page among the files must not act as the website. */
function setHeaders(response: Response): void {
  response.setHeader('Content-Security-Policy', 'sandbox')
  response.setHeader('X-Content-Type-Options', 'nosniff')
}
