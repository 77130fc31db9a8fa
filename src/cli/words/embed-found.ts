import type { EmbedFound } from '../../checks/embed.ts'
import { commandLine } from '../../product/command-line.ts'
import type { Finding } from '../../shared/finding.ts'

type Said = readonly [what: string, detail: string]
type FoundOf<C> = Extract<EmbedFound, { readonly code: C }>

const blocked = {
  form: ['Policy', 'form-action', 'the form is not sent'],
  'form-back': [
    'Policy',
    'form-action',
    'visitors do not come back after a sign-up, since it blocks redirects too',
  ],
  script: ['Policy', 'script-src', 'the script does not run'],
  style: ['Policy', 'style-src', 'browsers from before 2025 do not show the thanks'],
  connect: ['Policy', 'connect-src', 'the script cannot send, and the form is sent without it'],
} as const

const again = () => `paste what "${commandLine('embed')}" prints`

const words: { readonly [C in EmbedFound['code']]: (found: FoundOf<C>) => Said } = {
  served: ({ page }) => ['Page', `${page} is served`],
  away: ({ page, status }) => [
    'Page',
    status === undefined ? `${page} does not answer` : `${page} answered ${status}`,
  ],
  moved: ({ to }) => ['Page', `leads to another host, check that one: ${to}`],
  'origin-known': ({ origin }) => ['Origin', `${origin} is in EMBED_ORIGINS`],
  'origin-unknown': ({ origin }) => [
    'Origin',
    `${origin} is not in EMBED_ORIGINS, so its forms are refused: add it, and start the server again`,
  ],
  form: () => ['Form', 'posts to us'],
  'no-form': () => [
    'Form',
    `none that posts to us is in the HTML: ${again()}. A form in a frame, or one that script makes, is not seen from here`,
  ],
  action: ({ action, right }) => ['Form', `posts to "${action}", must post to ${right}`],
  method: ({ value }) => ['Method', `is "${value}", must be method="post"`],
  enctype: ({ value }) => ['Encoding', `enctype is "${value}", must be left out`],
  'no-field': () => ['Field', 'no input has name="email"'],
  back: ({ back }) => ['Way back', back],
  'wrong-back': ({ back }) => [
    'Way back',
    `"${back}" is no page of EMBED_ORIGINS, or has an @ in its query: our own page says thanks instead`,
  ],
  blocked: ({ what, sources, add }) => {
    const [name, directive, so] = blocked[what]
    return [name, `${directive} is "${sources}", so ${so}: add ${add}`]
  },
  policy: ({ isThere }) => ['Policy', isThere ? 'allows all of it' : 'none, nothing is blocked'],
  'no-referrer': () => [
    'Referrer',
    'the page sends none, so visitors have to press the button once more on our page. With the script they do not',
  ],
  script: () => ['Script', 'is the one of this build'],
  'no-script': () => ['Script', 'none: the form works without, and shows our page'],
  'script-outdated': () => [
    'Script',
    `is not the one of this build, so it is not loaded: ${again()}`,
  ],
  'script-unheld': () => ['Script', `has no integrity: ${again()}`],
  'script-wrong': () => [
    'Script',
    `its integrity or crossorigin is wrong, so it is not loaded: ${again()}`,
  ],
}

/** A finding of a page with our form, with what the operator can do about it. */
export function embedFoundInWords(found: EmbedFound): Finding {
  const [what, detail] = (words[found.code] as (found: EmbedFound) => Said)(found)
  return { what, verdict: found.verdict, detail }
}
