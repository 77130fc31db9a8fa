import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../../config/settings.ts'
import { languagesOf } from '../../product/languages.ts'
import type { ProductLanguage } from '../../shared/product.ts'
import { site } from '../../site/site.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import type { Surroundings, Terminal } from '../feature.ts'
import { parseEmbedOrigin } from './origins.ts'
import { policyFor } from './pasted-form.ts'
import { pastedForms } from './pasted-forms.ts'

/** The options of the command line. */
export interface EmbedArguments {
  readonly language?: string
  /** The page on which the form will stand. */
  readonly page?: string
  readonly frame?: boolean
  readonly json?: boolean
}

const NOT_BUILT = 'The page is not built: run "npm run build".'

/** `embed`: prints our form for a page of another site. @returns the exit code. */
export async function embed(
  options: EmbedArguments,
  { product, root, get }: Surroundings,
  out: Out,
): Promise<number> {
  const { json, frame: isFramed = false } = options
  const [publicUrl, origins] = [get('PUBLIC_URL'), get('EMBED_ORIGINS') ?? []]
  if (publicUrl === null)
    throw new OperatorError(`Set PUBLIC_URL, where the form posts: ${settings.PUBLIC_URL.rule}`)
  const languages = chosen(options, languagesOf(product))
  // A page of a static host, where nothing takes a form.
  if (!existsSync(join(root, site.manifest)) && existsSync(join(root, 'dist-firebase')))
    return withoutServer(publicUrl, languages, options, out)
  const page = pageOf(options, origins)
  const forms = pastedForms({ root, languages, publicUrl, page, isFramed })
  if (!forms) throw new OperatorError(NOT_BUILT)
  const origin = page === undefined ? undefined : new URL(page).origin
  const policy = policyFor(publicUrl, origin)
  if (json) {
    await out.json({ forms, policy })
    return exitCodes.done
  }
  const isOne = forms.length === 1
  for (const { code, form, script } of forms)
    await out.write(`${isOne ? '' : `<!-- ${code} -->\n`}${form}\n${script}\n\n`)
  const { bold } = out.style
  out.say(
    `${bold('Paste this')} where the form should stand. The form works without script. The last line lets a visitor stay on that page to read the answer; you may leave that line out.`,
  )
  out.say(`${bold('A content security policy')} of that site must allow:`)
  out.say(`  ${policy.form}`)
  if (policy.style) out.say(`  ${policy.style}    only for the thanks on that page`)
  out.say(`  ${policy.script}    only for the script`)
  if (origins.length === 0)
    out.say(
      `${bold('EMBED_ORIGINS is not set')}, so the server accepts no form of another site: set it to the address of your site, like EMBED_ORIGINS=https://blog.example.com, and start the server again.`,
    )
  else out.say(`${bold('Forms are taken')} from ${origins.join(', ')} alone (EMBED_ORIGINS).`)
  if (!publicUrl.startsWith('https:') && parseEmbedOrigin(publicUrl) === undefined)
    out.say('PUBLIC_URL is not https: browsers warn before they send a form there.')
  return exitCodes.done
}

function chosen(
  { language }: EmbedArguments,
  languages: readonly ProductLanguage[],
): readonly ProductLanguage[] {
  if (language === undefined) return languages
  const one = languages.filter(({ code }) => code === language)
  if (one.length > 0) return one
  const codes = languages.map(({ code }) => code).join(', ')
  throw new Misuse(`--language: is "${language}", must be one of ${codes}`)
}

/** The page that the form comes back to, which EMBED_ORIGINS has to name. */
function pageOf({ page, frame }: EmbedArguments, origins: readonly string[]): string | undefined {
  if (page === undefined) return undefined
  if (frame)
    throw new Misuse(
      'Name --page or --frame, not both: a form in a frame opens a window of its own.',
    )
  const url = URL.parse(page)
  if (!url || !parseEmbedOrigin(url.origin) || url.username || url.password)
    throw new Misuse(`--page: is "${page}", must be a page like https://blog.example.com/`)
  if (origins.includes(url.origin)) return url.href
  throw new OperatorError(
    `--page: ${url.origin} is not in EMBED_ORIGINS: set EMBED_ORIGINS=${[...origins, url.origin].join(',')}`,
  )
}

/** What another site can have of a page on Firebase. */
async function withoutServer(
  publicUrl: string,
  languages: readonly ProductLanguage[],
  { page, frame, json }: EmbedArguments,
  out: Out,
) {
  if (page !== undefined || frame)
    throw new OperatorError('A page on Firebase accepts no form of another site: docs/embed.md')
  const links = languages.map(({ code, path }) => ({ code, link: `${publicUrl}${path}/` }))
  if (json) await out.json({ links })
  else for (const { link } of links) await out.write(`${link}\n`)
  out.say('Firebase accepts no form of another site: link to the page.')
  return exitCodes.done
}

export const fromTerminal = (terminal: Terminal, options: EmbedArguments) =>
  terminal.withoutList((out) => embed(options, terminal.around, out))
