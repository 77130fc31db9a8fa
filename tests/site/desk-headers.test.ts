import { expect, it } from 'vitest'
import { deskPolicy } from '../../src/site/desk-headers.ts'

it('the desk runs and draws its own files and the named parts, calls and posts to itself, and is in no frame', () => {
  const inline = ["'sha256-one'", "'sha256-two'"]
  const directives = deskPolicy(inline).split('; ')
  expect(directives.map((one) => one.split(' '))).toEqual([
    ['default-src', "'none'"],
    ['script-src', "'self'", ...inline],
    ['style-src', "'self'", ...inline],
    ['img-src', "'self'", 'data:'],
    ['font-src', "'self'", 'data:'],
    ['connect-src', "'self'"],
    ['frame-src', "'self'"],
    ['worker-src', "'none'"],
    ['form-action', "'self'"],
    ['base-uri', "'none'"],
    ['frame-ancestors', "'none'"],
  ])
  expect(deskPolicy([]).split('; ')).toContain("script-src 'self'")
})
