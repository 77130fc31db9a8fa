/** All that these tests ask of the page, taken in one moment. Runs in the page, alone. */
export function look() {
  const splash = document.getElementById('splash')
  const form = document.querySelector('form')
  const input = form?.querySelector('input')
  const button = form?.querySelector('button')
  const suggestion = form?.querySelector('[role="status"] button')
  const [clock] = splash?.getAnimations() ?? []
  const corners = [0, innerWidth - 1].flatMap((x) =>
    [0, innerHeight - 1].map((y) => document.elementFromPoint(x, y)),
  )
  return {
    path: location.pathname + location.search,
    isComplete: document.readyState === 'complete',
    splash: {
      isThere: splash !== null,
      isShown: splash !== null && getComputedStyle(splash).visibility === 'visible',
      coversAll: corners.every((element) => splash?.contains(element)),
      text: splash?.textContent,
      began: clock?.startTime,
      lasts: clock?.effect?.getComputedTiming().endTime,
    },
    /** In milliseconds since the page was asked for, as is `began`. */
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    isInert: document.getElementById('root')?.inert,
    heading: document.querySelector('h1')?.textContent,
    pitch: document.querySelector('.pitch')?.textContent,
    logo: document.querySelector('img')?.alt,
    state: form?.dataset.status,
    input: {
      value: input?.value,
      placeholder: input?.placeholder,
      isDisabled: input?.disabled,
      isInvalid: input?.getAttribute('aria-invalid') === 'true',
    },
    button: { text: button?.textContent, isDisabled: button?.disabled },
    focus: document.activeElement?.tagName,
    suggests: suggestion ? getComputedStyle(suggestion).visibility === 'visible' : false,
    message: form?.querySelector('[role="status"]')?.textContent,
    messageAt: Number(form?.querySelector('[role="status"] > span')?.getBoundingClientRect().y),
    isAtRest: !document.getAnimations().some((one) => one instanceof CSSTransition),
    /** Where everything stands that a visitor reads or uses; the logo may grow into its place. */
    places: [
      ...document.querySelectorAll('.brand, h1, .pitch, form, form p, input, [type=submit]'),
    ].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { element: element.tagName, x, y, width, height }
    }),
  }
}

export type Seen = ReturnType<typeof look>
