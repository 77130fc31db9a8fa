import { shareWordsOf } from '../../words/page-words.ts'
import { unphrased } from '../../words/phrases.ts'
import { offerSheet } from './offer-sheet.ts'
import type { AfterYes } from './slots.ts'

export interface ShareProps {
  readonly name: string
  readonly pitch: string
  /** That it may be passed on, and by e-mail; to copy a link, and that it was copied. */
  readonly words: readonly string[]
  /** The address of the page, in the visitor's language, up to where the name of a way ends it. */
  readonly link: string
  /** Whether the link is to be copied, and there are no others. */
  readonly isLinkAlone?: boolean | undefined
}

/**
 * Links to pass the page on. Each names itself as the source of who follows it. Nobody else hears of a
 * visitor before they press one.
 */
export function Share({ name, pitch: shown, words, link, isLinkAlone }: ShareProps) {
  const [passOn, byEmail, copy, copied] = words
  // Where the page has breaks and joiners in it, nobody else needs them.
  const pitch = unphrased(shown)
  const tagged = (way: string) => link + way
  const [text, title] = [encodeURIComponent(`${name}: ${pitch}`), encodeURIComponent(name)]
  const withLink = (way: string) => `${text}%0A${encodeURIComponent(tagged(way))}`
  const toTelegram = encodeURIComponent(tagged('telegram'))
  const links = [
    ['WhatsApp', `https://wa.me/?text=${withLink('whatsapp')}`],
    ['Telegram', `https://t.me/share/url?url=${toTelegram}&text=${text}`],
    [byEmail, `mailto:?subject=${title}&body=${withLink('email')}`],
    [new URL(link).host, tagged('copy')],
  ]
  return (
    <div
      // Before it is seen.
      ref={offerSheet}
      className="share more"
      data-title={name}
      data-text={pitch}
      data-sheet={tagged('sheet')}
      data-copy={copy}
      data-copied={copied}
    >
      <p>{passOn}</p>
      <ul>
        {/* Firefox balances rows of what has a space between. */}
        {(isLinkAlone ? links.slice(-1) : links).flatMap(([said, target]) => [
          <li key={target}>
            {/* Another site hears nothing of this page. */}
            <a href={target} target="_blank" rel="noreferrer">
              <bdi>{said}</bdi>
            </a>
          </li>,
          ' ',
        ])}
      </ul>
    </div>
  )
}

interface SharedLinkProps extends AfterYes, Pick<ShareProps, 'isLinkAlone'> {
  /** The address of the page. */
  readonly origin: string
  /** Up to where the name of a way ends it. */
  readonly query: string
}

/** The same on a page that is for who confirmed. */
export function SharedLink({ language, words, origin, query, isLinkAlone }: SharedLinkProps) {
  const { name, pitch } = language.product
  const link = `${origin}${language.path}/?${query}`
  return <Share {...{ name, pitch, link, isLinkAlone }} words={shareWordsOf(words)} />
}
