import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { formOf, readForm } from '../../src/web/forms.ts'

const application = express()
  .use(readForm)
  .post('/admin', (request, response) => void response.send(formOf(request).get('places')))

test('accepts a form with 500 places', async () => {
  const place = 'Station 1, 12 Mill Road, Cedar Hollow | 12 Mill Road, NY | 42.5, -74.2'
  const places = Array.from({ length: 500 }, () => place).join('\r\n')
  const { status, text } = await supertest(application).post('/admin').type('form').send({ places })
  expect([status, text]).toEqual([200, places])
})
