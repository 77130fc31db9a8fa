import type { QuestionWords } from '../words/page-words.ts'

export interface QuestionProps {
  readonly words: QuestionWords
  /** Where an answer is posted; by default to where the page is. */
  readonly action?: string
}

/** A question that may be passed over. Its answer leads to a page of its own, with script and without. */
export function Question({ words: { ask, kind, choices, button }, action }: QuestionProps) {
  return (
    <form
      className={choices ? 'question' : 'question subscribe'}
      method="post"
      action={action}
      aria-labelledby="ask"
    >
      <p id="ask">{ask}</p>
      {choices ? (
        <div className="choices">
          {choices.map((choice) => (
            <button key={choice} type="submit" name="said" value={choice}>
              {choice}
            </button>
          ))}
        </div>
      ) : (
        <div className="subscribe-row">
          <div className="subscribe-field">
            <input
              name="said"
              type="text"
              autoComplete={kind === 'postcode' ? 'postal-code' : 'off'}
              maxLength={200}
              aria-labelledby="ask"
              required
            />
          </div>
          <button type="submit">{button}</button>
        </div>
      )}
    </form>
  )
}
