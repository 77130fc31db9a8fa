import { test as base, type TestType } from '@playwright/test'
import { isLong } from '../torture/form.ts'

/**
 * The tests of a file that take long and are left to `npm run torture`: what they are for has a short
 * form in `npm test`.
 *
 * @param test with the fixtures of the file.
 */
export function longOf<T extends object, W extends object>(test: TestType<T, W>) {
  return isLong ? test : test.skip
}

/** The same of all tests of a file or a group, where `isIt`. */
export const leftToTorture = (isIt = true) => base.skip(isIt && !isLong, 'left to npm run torture')
