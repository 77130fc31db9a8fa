import { findEngine } from './find-engine.ts'
import { test } from './fixtures.ts'

// Stands in for all others where there is no browser of the engine.
test('the page in another engine', ({ engine }, testInfo) => {
  const found = findEngine(engine)
  if (!('missing' in found)) return
  if (process.env.REQUIRE_FIREFOX_AND_WEBKIT === '1') throw new Error(found.missing)
  testInfo.skip(true, found.missing)
})
