import type { HealthLight, TodayState } from '../../contract/today.ts'
import { Light, Lights, Notice } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { Ago, Time } from '../parts/time.tsx'

/** Whether what the page and its letters need is in order. */
export function Health({ state }: { readonly state: TodayState }) {
  return (
    <Section title="Health" className="health">
      <Lights>
        {state.health.map((light) => (
          <Light key={light.name} tone={light.tone} title={light.name}>
            <Found light={light} now={state.at} />
          </Light>
        ))}
      </Lights>
    </Section>
  )
}

/** What is not in order, above everything else: a line for each. */
export function Troubles({ state }: { readonly state: TodayState }) {
  const troubles = state.health.filter(
    ({ tone, name }) => tone === 'bad' && !(state.trouble && name === 'Store'),
  )
  if (!state.trouble && troubles.length === 0) return null
  return (
    <div className="troubles after-3">
      {state.trouble && (
        <Notice tone="bad" title={state.trouble}>
          This is as of <Time at={state.at} />
        </Notice>
      )}
      {troubles.map((light) => (
        <Notice key={light.name} tone="bad" title={light.name}>
          <Found light={light} now={state.at} />
        </Notice>
      ))}
    </div>
  )
}

function Found({
  light: { text, at, link },
  now,
}: {
  readonly light: HealthLight
  readonly now: number
}) {
  const ago = at !== undefined && <Ago at={at} now={now} />
  if (link)
    return (
      <>
        {ago}: {text}. <a href={link.href}>{link.label}</a>
      </>
    )
  return (
    <>
      {text}
      {text && ago && ' '}
      {ago}
    </>
  )
}
