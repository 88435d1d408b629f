// What the selected plants hold, how strongly, and whether their captured feet stand or slide.

import { byId } from '../dom'
import type { Plant, PlantHold, PlantKind, PlantPoint } from '../messages'
import { setSelectedHold, setSelectedKind, setSelectedPoint, setSelectedStrength } from '../state/plant-edits'
import { state } from '../state/state'

const select = (id: string) => byId<HTMLSelectElement>(id)

/** Applies each input to the selected plants; `attempt` reports errors. */
export function bindPlantForm(attempt: (action: () => void) => void) {
  const onChange = (id: string, apply: (value: string) => void) => {
    const input = byId<HTMLSelectElement | HTMLInputElement>(id)
    input.onchange = () => {
      attempt(() => apply(input.value))
      showPlantForm()
    }
  }
  onChange('plant-point', value => setSelectedPoint(value as PlantPoint))
  onChange('plant-hold', value => setSelectedHold(value as PlantHold))
  onChange('plant-strength', value => setSelectedStrength(Number(value) / 100))
  onChange('plant-kind', value => setSelectedKind((value || undefined) as PlantKind | undefined))
}

/** Shows the values of the selected plants; an input is empty where they differ. */
export function showPlantForm() {
  const plants = state.selectedPlants
  byId('plant-form').hidden = !plants.length
  if (!plants.length) return
  select('plant-point').value = common(plants, ({ point }) => point)
  select('plant-hold').value = common(plants, ({ hold }) => hold ?? 'full')
  select('plant-kind').value = common(plants, ({ kind }) => kind ?? '')
  const strength = byId<HTMLInputElement>('plant-strength')
  strength.value = common(plants, ({ strength }) => String(Math.round(100 * (strength ?? 1))))
}

/** The value that all plants have, or no option. */
function common(plants: Plant[], valueOf: (plant: Plant) => string) {
  const values = new Set(plants.map(valueOf))
  const [value] = values
  return values.size === 1 && value !== undefined ? value : '-'
}
