import { findChromium } from '../../scripts/chromium/find-chromium.ts'

/** A Chromium that starts, as the tests find it; the benchmark installs none. */
export async function obtainBrowser(): Promise<
  { readonly path: string } | { readonly missing: string }
> {
  const found = await findChromium()
  if ('path' in found) return found
  return { missing: 'What a browser sees was left out: no Chromium here; "npm test" gets one.' }
}
