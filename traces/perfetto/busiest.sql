-- Which units were busy longest? Cycles of operations in each lane, as a part of the measured region.
WITH run AS (
  SELECT
    MAX(CASE WHEN key = 'debug.cycles' THEN int_value END) AS cycles
  FROM slice JOIN args USING (arg_set_id)
  WHERE slice.name = 'summary'
)
SELECT
  process.name AS place,
  thread.name AS unit,
  COUNT(*) AS operations,
  SUM(slice.dur) AS busy_cycles,
  ROUND(100.0 * SUM(slice.dur) / run.cycles, 1) AS percent_of_run
FROM run, slice
JOIN thread_track ON thread_track.id = slice.track_id
JOIN thread USING (utid)
JOIN process USING (upid)
WHERE slice.depth = 0 AND slice.dur > 0 AND thread.name NOT LIKE 'zones%'
GROUP BY process.name, thread.name
ORDER BY busy_cycles DESC, place, unit;
