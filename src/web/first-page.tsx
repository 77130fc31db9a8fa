import type { PageWords } from '../words/page-words.ts'
import { ComingSoon, type ComingSoonProps } from './coming-soon.tsx'

/** The page beneath the splash, as it is built. Script takes over what is in its `main`. */
export function FirstPage({ words, ...more }: ComingSoonProps) {
  const { name, logo, picture, links, languages = {} } = words
  return (
    <>
      <div className="page">
        <header className="brand">
          <img src={`/${logo}`} alt={name} width="48" height="48" fetchPriority="low" />
          <span aria-hidden="true">{name}</span>
        </header>
        {picture && <ProductPicture {...picture} />}
        <main>
          <ComingSoon words={words} {...more} />
        </main>
        <div className="backdrop">
          <i />
        </div>
      </div>
      {links && (
        <footer className="footer">
          {Object.entries(links).map(([text, target]) => (
            <a key={text} href={target} lang={languages[target]} hrefLang={languages[target]}>
              {text}
            </a>
          ))}
        </footer>
      )}
    </>
  )
}

/** Their pixels, by file: the build knows them. */
type Sizes = Readonly<Record<string, readonly [width: number, height: number]>>

/** Comes after all else, into a place that is kept for it. Without script it comes at once. */
export function ProductPicture({ file, small, alt }: NonNullable<PageWords['picture']>) {
  const sizes: Sizes = JSON.parse(import.meta.env.VITE_PICTURE_SIZES ?? '{}')
  const [width, height] = sizes[file] ?? []
  const [smallWidth, smallHeight] = sizes[small ?? ''] ?? []
  return (
    <picture className="picture">
      {small && (
        <source
          media="(max-width: 59.99em)"
          srcSet={`/${small}`}
          width={smallWidth}
          height={smallHeight}
        />
      )}
      <img
        src={`/${file}`}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        fetchPriority="low"
      />
    </picture>
  )
}
