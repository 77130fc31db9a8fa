import { readFileSync } from 'node:fs'
import { type Plugin, runnerImport } from 'vite'
import type { BuildSettings } from '../../src/config/programs.ts'
import { rules } from '../../src/features/all-rules.ts'
import { codeFile, codeFolder } from '../../src/product/folders.mjs'
import { languagesOf, type OfferedLanguage } from '../../src/product/languages.ts'
import product from '../../src/product/product.ts'
import type { BackendConfig } from '../../src/shared/api.ts'
import { filesOfPicture } from '../../src/shared/look.ts'
import type { Product } from '../../src/shared/product.ts'
import { readMoment } from '../../src/shared/zoned-time.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { logosInStyle } from './brand-style.ts'
import { compose, renderHead, scriptIn } from './document.ts'
import { fontFaces } from './font-faces.ts'
import { pictureHead } from './picture-head.ts'
import { readsFoot, splashOf } from './scene.ts'
import { openTypeface } from './typeface.ts'
import { firstPageTexts } from './words.ts'

export type Prerender = typeof import('../../src/web/prerender.tsx')

/** What a page is built for. What is off leaves nothing in it. */
export interface BuiltFor extends Partial<BuildSettings> {
  /** Vite's mode: decides which backends the page can reach. */
  readonly mode: BackendConfig['mode']
}

/**
 * Where the question of a product is asked: with `CONFIRM=on` of those alone who have confirmed. On a
 * static host nobody would keep an answer.
 */
export function whereAsked(
  { question }: Product,
  { mode, confirm }: BuiltFor,
): 'page' | 'confirmed' | '' {
  if (!question || mode !== 'embedded') return ''
  return confirm ? 'confirmed' : 'page'
}

/** The pixels of the files of its picture, as JSON. */
function pictureSizes({ look: { picture } = {} }: Product): string {
  const sizes = (picture ? filesOfPicture(picture) : []).flatMap((file) => {
    const head = pictureHead(readFileSync(file))
    return head ? [[file, [head.width, head.height]]] : []
  })
  return JSON.stringify(Object.fromEntries(sizes))
}

/** What is known when the page is built. */
export function pageFlags(builtFor: BuiltFor): Record<string, string> {
  const { confirm = false, publicUrl = null, features = {} } = builtFor
  const { opensAt } = product
  const moment = opensAt && readMoment(opensAt.at, opensAt.zone)
  const [at, zone] = moment && 'at' in moment ? [moment.at.toISOString(), moment.zone] : ['', '']
  const flags = {
    CONFIRM: confirm ? 'on' : 'off',
    LANGUAGES: languagesOf(product).length > 1 ? 'on' : 'off',
    ...Object.fromEntries(
      rules.map(({ name }) => [
        name.toUpperCase().replaceAll('-', '_'),
        (features[name] && publicUrl) || '',
      ]),
    ),
    QUESTION: whereAsked(product, builtFor),
    PICTURE_SIZES: pictureSizes(product),
    OPENS_AT: at,
    OPENS_ZONE: zone,
  }
  const named = Object.entries(flags).map(([name, value]) => [
    `import.meta.env.VITE_${name}`,
    JSON.stringify(value),
  ])
  return Object.fromEntries(named)
}

/** Loads the page's components through Vite: Node alone reads no JSX. */
export async function loadPrerender(builtFor: BuiltFor): Promise<Prerender> {
  const { mode } = builtFor
  const file = `/${codeFile('src/web/prerender.tsx')}`
  const define = pageFlags(builtFor)
  const options = { configFile: false, root: codeFolder, mode, define } as const
  const { module } = await runnerImport<Prerender>(file, options)
  return module
}

/** While developing: the page prerendered afresh for every visit, as the build does it once. */
export function prerenderInDevelopment(): Plugin {
  return {
    name: 'prerender',
    apply: 'serve',
    transformIndexHtml: {
      order: 'pre',
      async handler(shell, { originalUrl = '' }) {
        const languages = languagesOf(product)
        const isHere = ({ path }: OfferedLanguage) => path && originalUrl.startsWith(`${path}/`)
        const language = languages.find(isHere) ?? languages[0]
        const { renderFirstPage, renderGate } = await loadPrerender({ mode: 'embedded' })
        const { typed, ...texts } = firstPageTexts(language)
        const typeface = await openTypeface(product.look?.type)
        const faces = await fontFaces(typeface, Object.values(texts).flat(), typed)
        return compose(shell, {
          language: catalogueOf(language.product),
          head: `${renderHead(language, null)}<style>${faces}${logosInStyle(language.product)}</style>`,
          body: renderFirstPage(language, splashOf(language.product)).body,
          script: renderGate(scriptIn(shell), [], { readsFoot: readsFoot(product) }),
        })
      },
    },
  }
}
