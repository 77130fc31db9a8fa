import { expect, it } from 'vitest'
import { cacheControl } from '../../src/site/cache-control.ts'

it('is kept for good where the name tells the content, and never beyond a change elsewhere', () => {
  const kept = Object.entries({
    '/assets/main-abc.js': 'public, max-age=31536000, immutable',
    '/config.json': 'no-cache',
    '/opening.json': 'no-cache',
    '/': 'no-cache',
    '/privacy.html': 'no-cache',
    '/robots.txt': 'public, max-age=3600',
    '/my/assets/one.js': 'public, max-age=3600',
  })
  for (const [path, control] of kept) expect(cacheControl(path), path).toBe(control)
})
