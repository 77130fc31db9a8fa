/** @module-tag long */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { visitCounter } from '../../src/audience/visit-counter.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

it('a million random sources cost the file less than a megabyte, and hide no common one', async () => {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = storeOnFile(file)
  const visits = visitCounter(store.visits, undefined, () => {}, 0)
  visits.count(BROWSER, '/', false)
  await visits.close()
  const size = () => statSync(file).size + statSync(`${file}-wal`).size
  const before = size()
  for (let i = 0; i < 1_000_000; i += 1) {
    // At last the longest that a name may be, in bytes.
    const random = `${i}`.padStart(64, i < 980_000 ? 'x' : '\u65e5')
    visits.count(BROWSER, `/?ref=${encodeURIComponent(random)}`, false)
    if (i % 100 === 0) visits.count(BROWSER, '/?ref=common', false)
    if (i % 4000 === 0) await turn()
  }
  await visits.close()
  const names = (await store.visits.names(new Date(0))).all
  expect(names.find(({ name }) => name === 'common')?.number).toBe(10_000)
  expect(names.reduce((sum, { number }) => sum + number, 0)).toBe(1_010_000)
  await store.close()
  expect(statSync(file).size).toBeLessThan(before + 1_000_000)
}, 300_000)
