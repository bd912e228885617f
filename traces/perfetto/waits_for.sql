-- For whom did lanes wait? Cycles by the lane that ended the wait. Perfetto writes core[1,0].math in
-- the names of arguments as core_1,0__math.
SELECT
  process.name || '.' || thread.name AS lane,
  slice.name AS cause,
  SUBSTR(ended.key, 10) AS ended_by,
  COUNT(*) AS waits,
  SUM(waited.int_value) AS cycles
FROM slice
JOIN args AS waited ON waited.arg_set_id = slice.arg_set_id AND waited.key = 'debug.cycles'
JOIN args AS ended ON ended.arg_set_id = slice.arg_set_id AND ended.key LIKE 'debug.by %'
JOIN thread_track ON thread_track.id = slice.track_id
JOIN thread USING (utid)
JOIN process USING (upid)
WHERE slice.category = 'stall'
GROUP BY lane, cause, ended_by
ORDER BY cycles DESC, lane, cause, ended_by;
