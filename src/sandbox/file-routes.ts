import express, { Router, type Response } from 'express'

/** The website's pictures, attachments and videos, which records name; anyone may fetch them. */
export function fileRoutes(directory: string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  // A page among them must not act as the website.
  const setHeaders = (response: Response) => {
    response.setHeader('Content-Security-Policy', 'sandbox')
    response.setHeader('X-Content-Type-Options', 'nosniff')
  }
  router.use('/files/', express.static(directory, { index: false, redirect: false, setHeaders }))
  return router
}
