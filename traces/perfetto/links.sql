-- Which links were busy? A counter `busy` has, from its stamp on, the busy cycles of each N cycles, and the
-- unit "cycles per N". The last one is for N cycles. Of a square of places it is the sum of all.
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
step AS (
  SELECT
    utid,
    value / width * (LEAD(ts, 1, ts + width) OVER (PARTITION BY track_id ORDER BY ts) - ts) AS busy
  FROM sample
)
SELECT
  process.name AS place,
  thread.name AS link,
  CAST(ROUND(SUM(step.busy)) AS INTEGER) AS busy_cycles,
  ROUND(100.0 * SUM(step.busy) / run.cycles, 1) AS percent_of_run
FROM run, step
JOIN thread USING (utid)
JOIN process USING (upid)
WHERE thread.name IN ('north', 'east', 'south', 'west')
GROUP BY process.name, thread.name
ORDER BY busy_cycles DESC, place, link;
