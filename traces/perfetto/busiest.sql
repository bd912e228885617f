-- Which units were busy longest? Cycles of operations in each lane, as a part of the measured region. A
-- trace with use by time (--trace-level blocks) has counters `busy` instead: from the stamp on, busy
-- cycles of each N cycles, with the unit "cycles per N"; of a square of places, the sum of all. Zones,
-- positions of switches and links are no units.
WITH run AS (
  SELECT MAX(CASE WHEN key = 'debug.cycles' THEN int_value END) AS cycles
  FROM slice JOIN args USING (arg_set_id)
  WHERE slice.name = 'summary'
),
sample AS (
  SELECT counter.ts, counter.track_id, counter.value, track.utid, CAST(SUBSTR(track.unit, 12) AS INTEGER) AS width
  FROM counter
  JOIN thread_counter_track AS track ON track.id = counter.track_id
  WHERE track.name = 'busy' AND track.unit LIKE 'cycles per %'
),
used AS (
  SELECT utid, value / width * (LEAD(ts, 1, ts + width) OVER (PARTITION BY track_id ORDER BY ts) - ts) AS cycles, NULL AS operation
  FROM sample
  UNION ALL
  SELECT thread_track.utid, slice.dur, slice.id
  FROM slice
  JOIN thread_track ON thread_track.id = slice.track_id
  WHERE slice.depth = 0 AND slice.dur > 0
)
SELECT
  process.name AS place,
  thread.name AS unit,
  COUNT(used.operation) AS operations,
  CAST(ROUND(SUM(used.cycles)) AS INTEGER) AS busy_cycles,
  ROUND(100.0 * SUM(used.cycles) / run.cycles, 1) AS percent_of_run
FROM run, used
JOIN thread USING (utid)
JOIN process USING (upid)
WHERE thread.name NOT LIKE 'zones%' AND thread.name NOT LIKE 'switch%'
  AND thread.name NOT IN ('north', 'east', 'south', 'west')
GROUP BY process.name, thread.name
ORDER BY busy_cycles DESC, place, unit;
