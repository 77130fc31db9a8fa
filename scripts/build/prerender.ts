import { readFileSync } from 'node:fs'
import { type Plugin, runnerImport } from 'vite'
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
import { isShared } from './share-script.ts'
import { openTypeface } from './typeface.ts'
import { firstPageWords, typedWords } from './words.ts'

export type Prerender = typeof import('../../src/web/prerender.tsx')

/**
 * Where the question of a product is asked: with `CONFIRM=on` of those alone who have confirmed. On a
 * static host nobody would keep an answer.
 */
export function whereAsked(
  { question }: Product,
  mode: BackendConfig['mode'],
  confirm: boolean,
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

/** Known when the page is built, so that what is off leaves nothing in it. */
export function pageFlags(
  mode: BackendConfig['mode'],
  confirm = false,
  publicUrl: string | null = null,
  referrals = false,
) {
  const { opensAt } = product
  const moment = opensAt && readMoment(opensAt.at, opensAt.zone)
  const [at, zone] = moment && 'at' in moment ? [moment.at.toISOString(), moment.zone] : ['', '']
  return {
    'import.meta.env.VITE_CONFIRM': JSON.stringify(confirm ? 'on' : 'off'),
    'import.meta.env.VITE_LANGUAGES': JSON.stringify(
      languagesOf(product).length > 1 ? 'on' : 'off',
    ),
    'import.meta.env.VITE_SHARE': JSON.stringify(isShared(product, publicUrl) ? publicUrl : ''),
    'import.meta.env.VITE_REFERRALS': JSON.stringify((referrals && publicUrl) || ''),
    'import.meta.env.VITE_QUESTION': JSON.stringify(whereAsked(product, mode, confirm)),
    'import.meta.env.VITE_PICTURE_SIZES': JSON.stringify(pictureSizes(product)),
    'import.meta.env.VITE_OPENS_AT': JSON.stringify(at),
    'import.meta.env.VITE_OPENS_ZONE': JSON.stringify(zone),
  }
}

/** Loads the page's components through Vite: Node alone reads no JSX. @param mode Vite's. */
export async function loadPrerender(
  mode: BackendConfig['mode'],
  confirm = false,
  publicUrl: string | null = null,
  referrals = false,
): Promise<Prerender> {
  const file = `/${codeFile('src/web/prerender.tsx')}`
  const define = pageFlags(mode, confirm, publicUrl, referrals)
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
        const { renderFirstPage, renderGate } = await loadPrerender('embedded')
        const faces = await fontFaces(
          await openTypeface(product.look?.type),
          firstPageWords(language),
          [typedWords(language.product)],
        )
        return compose(shell, {
          language: catalogueOf(language.product),
          head: `${renderHead(language, null)}<style>${faces}${logosInStyle(language.product)}</style>`,
          body: renderFirstPage(language, splashOf(language.product)).body,
          script: renderGate(scriptIn(shell), [], readsFoot(product)),
        })
      },
    },
  }
}
