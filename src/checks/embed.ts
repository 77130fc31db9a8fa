import type { JoinFile } from '../embed/join-file.ts'
import { THANKS_STYLE_HASH } from '../embed/pasted-form.ts'
import { joinPaths } from '../shared/api.ts'
import { parseBack } from '../shared/embed-origins.ts'
import { plainLine } from '../shared/plain-line.ts'
import { askHost } from './ask.ts'
import { found } from './check.ts'
import { elementsIn, type PageElement } from './elements.ts'
import { allows, allowsInline, policiesIn, sourcesFor } from './policy.ts'

interface CheckEmbedOptions {
  /** The page that has the form. */
  readonly page: URL
  readonly publicUrl: string
  readonly origins: readonly string[]
  /** The script of each language, by the language's path. */
  readonly scripts: ReadonlyMap<string, JoinFile>
}

/** What is found of a page with our form, as a code and its data. A face has the words. */
export type EmbedFound = Awaited<ReturnType<typeof checkEmbed>>[number]

/** Looks at a page of another site for what keeps our form there from working. It posts nothing. */
export async function checkEmbed(options: CheckEmbedOptions) {
  const asked = await askHost(options.page)
  if ('to' in asked) return [found('moved', 'fatal', { to: plainLine(asked.to) })]
  const { url, answer } = asked
  const { status, text: html, headers } = answer
  if (status !== 200)
    return [found('away', 'fatal', { page: options.page.href, status: status || undefined })]
  return [found('served', 'fine', { page: url.href }), ...look(url, html, headers, options)]
}

function* look(
  page: URL,
  html: string,
  headers: Headers,
  { publicUrl, origins, scripts }: CheckEmbedOptions,
) {
  const { origin } = page
  if (origins.includes(origin)) yield found('origin-known', 'fine', { origin })
  else yield found('origin-unknown', 'problem', { origin })

  const elements = elementsIn(html)
  const actions = [...scripts.keys()].map((path) => publicUrl + path + joinPaths.join)
  const ours = ourForm(elements, page, publicUrl, actions)
  if (!ours) {
    yield found('no-form', 'fatal')
    return
  }
  const { form, action } = ours
  const fields = elements.filter((one) => one.form === form)
  const isRight = actions.includes(withoutQuery(action))
  const right = actions[0] ?? ''
  if (isRight) yield found('form', 'fine')
  else yield found('action', 'problem', { action: plainLine(action), right })
  yield* fieldsFound(form, fields)
  const back = fields.find(({ attributes }) => attributes.name === 'back')?.attributes.value
  const goesTo = back === undefined ? undefined : parseBack(back, origins)
  if (back !== undefined && goesTo !== undefined) yield found('back', 'fine', { back })
  else if (back !== undefined) yield found('wrong-back', 'problem', { back: plainLine(back) })

  const path = isRight ? withoutQuery(action).slice(publicUrl.length, -joinPaths.join.length) : ''
  const file = scripts.get(path)
  const script = elements.find((one) => isJoinScript(one, page, publicUrl))
  if (file) yield scriptFound(script, page, publicUrl, file)
  yield* policyFound(page, headers, elements, {
    form: new URL(right),
    back: goesTo === undefined ? undefined : new URL(goesTo),
    script,
  })
  if (!script && isWithoutReferrer(headers, elements)) yield found('no-referrer', 'note')
}

const withoutQuery = (url: string) => url.split(/[?#]/)[0] ?? ''

/** The form that posts to us; else one that seems meant to. Browsers take none within another. */
function ourForm(
  elements: readonly PageElement[],
  page: URL,
  publicUrl: string,
  actions: readonly string[],
) {
  const forms = elements.filter(({ name, form }) => name === 'form' && !form)
  const all = forms.map((form) => {
    const { action = '' } = form.attributes
    return { form, action: URL.parse(action, page.href)?.href ?? action }
  })
  return (
    all.find(({ action }) => actions.includes(withoutQuery(action))) ??
    all.find(({ action }) => URL.parse(action)?.origin === new URL(publicUrl).origin) ??
    all.find(({ action }) => withoutQuery(action).endsWith(joinPaths.join))
  )
}

const USUAL = 'application/x-www-form-urlencoded'

function* fieldsFound({ attributes }: PageElement, fields: readonly PageElement[]) {
  const { method = 'get', enctype = USUAL } = attributes
  if (method.toLowerCase() !== 'post')
    yield found('method', 'problem', { value: plainLine(method) })
  if (enctype.toLowerCase() !== USUAL)
    yield found('enctype', 'problem', { value: plainLine(enctype) })
  const isEmail = ({ name, attributes }: PageElement) =>
    name === 'input' && attributes.name === 'email'
  if (!fields.some(isEmail)) yield found('no-field', 'problem')
}

/** Also that of an earlier build. */
function isJoinScript(one: PageElement, page: URL, publicUrl: string): boolean {
  const src = URL.parse(one.attributes.src ?? '', page.href)
  const isOurs = src?.origin === new URL(publicUrl).origin
  return one.name === 'script' && isOurs && /^\/assets\/join-/.test(src.pathname)
}

function scriptFound(
  script: PageElement | undefined,
  page: URL,
  publicUrl: string,
  { path, integrity }: JoinFile,
) {
  if (!script) return found('no-script', 'note')
  const { src = '', integrity: held, crossorigin } = script.attributes
  if (URL.parse(src, page.href)?.href !== publicUrl + path)
    return found('script-outdated', 'problem')
  if (held === undefined) return found('script-unheld', 'note')
  const isHeld = held === integrity && crossorigin !== undefined
  return isHeld ? found('script', 'fine') : found('script-wrong', 'problem')
}

function* policyFound(
  page: URL,
  headers: Headers,
  elements: readonly PageElement[],
  { form, back, script }: { form: URL; back: URL | undefined; script: PageElement | undefined },
) {
  const policies = [
    headers.get('content-security-policy'),
    ...metas(elements, 'content-security-policy'),
  ]
    .filter((text) => text !== null)
    .flatMap(policiesIn)
  const hasStyle = elements.some(({ name }) => name === 'style')
  let isFine = true
  for (const policy of policies) {
    const checks = [
      ['form', 'form', form],
      ['form-back', 'form', back],
      ['script', 'script', script && new URL(script.attributes.src ?? '', page.href)],
      ['connect', 'connect', script && form],
    ] as const
    for (const [what, kind, url] of checks) {
      const sources = sourcesFor(policy, kind)
      if (!url || !sources || allows(sources, url, page)) continue
      if (what === 'script' && script && isNamed(sources, script)) continue
      isFine = false
      const add = url.origin === page.origin ? "'self'" : url.origin
      yield found('blocked', 'problem', { what, sources: plainLine(sources.join(' ')), add })
    }
    const styles = sourcesFor(policy, 'style')
    if (back && hasStyle && styles && !allowsInline(styles, THANKS_STYLE_HASH)) {
      isFine = false
      const sources = plainLine(styles.join(' '))
      yield found('blocked', 'note', { what: 'style', sources, add: THANKS_STYLE_HASH })
    }
  }
  if (isFine) yield found('policy', 'fine', { isThere: policies.length > 0 })
}

/** Whether a script is allowed by its own nonce or hash. */
function isNamed(sources: readonly string[], { attributes }: PageElement): boolean {
  const { nonce, integrity } = attributes
  const names = [nonce && `nonce-${nonce}`, integrity]
  return names.some((name) => name && sources.includes(`'${name}'`))
}

function metas(elements: readonly PageElement[], wanted: string): string[] {
  return elements.flatMap(({ name, attributes }) => {
    const { content, name: named, 'http-equiv': given = named } = attributes
    return name === 'meta' && given?.toLowerCase() === wanted && content ? [content] : []
  })
}

/** Then a browser posts a form with `Origin: null`. The last policy that is known counts. */
function isWithoutReferrer(headers: Headers, elements: readonly PageElement[]): boolean {
  const said = [headers.get('referrer-policy') ?? '', ...metas(elements, 'referrer')]
  const policies = said.flatMap((text) => text.split(',').map((one) => one.trim()))
  return policies.findLast(Boolean) === 'no-referrer'
}
